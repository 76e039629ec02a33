/// A window that takes part in drags by the words of the protocol alone, and writes down all that it can
/// get at whenever it is told something.
public enum RawWindow {
  /// Its words: its title, the file to write down in, and how it deceives, or that it "polls": then it is not
  /// to be seen, and writes down what is new of any drag on the display.
  public static let program = """
    import ctypes as c, struct, sys, time as clock
    title, path, lie = (sys.argv[1:] + [""])[:3]
    x, fixes = c.CDLL("libX11.so.6"), c.CDLL("libXfixes.so.3")
    L, I, P = c.c_ulong, c.c_int, c.c_void_p
    for name in "XInternAtom XDefaultRootWindow XCreateSimpleWindow XGetSelectionOwner".split():
        getattr(x, name).restype = L
    x.XOpenDisplay.restype, x.XListProperties.restype = P, c.POINTER(L)
    x.XGetAtomName.restype = c.c_char_p
    # A window that is asked may be gone.
    handler = c.CFUNCTYPE(I, P, P)(lambda display, error: 0)
    x.XSetErrorHandler(handler)
    display = P(x.XOpenDisplay(None))
    def atom(name): return x.XInternAtom(display, name.encode(), 0)
    def name(atom): return (x.XGetAtomName(display, L(atom)) or b"").decode() if atom else ""
    root = L(x.XDefaultRootWindow(display))
    own = x.XCreateSimpleWindow(display, root, 40, 40, 200, 200, 0, L(0), L(0))
    x.XStoreName(display, L(own), title.encode())
    version = c.c_ulong(5)
    x.XChangeProperty(display, L(own), L(atom("XdndAware")), L(4), 32, 0, c.byref(version), 1)
    x.XSelectInput(display, L(own), c.c_long(1 << 17))
    if lie != "polls":
        x.XMapWindow(display, L(own))
    base, error = I(), I()
    fixes.XFixesQueryExtension(display, c.byref(base), c.byref(error))
    fixes.XFixesSelectSelectionInput(display, root, L(atom("CLIPBOARD")), L(1))
    log = open(path, "wb", 0)
    event = c.create_string_buffer(192)
    def long(at): return struct.unpack_from("L", event, at)[0]
    def property(window, what, gone=False):
        kind, format, count, more, data = L(), I(), L(), L(), P()
        x.XGetWindowProperty(display, L(window), L(what), c.c_long(0), c.c_long(1 << 20), int(gone), L(0),
                             c.byref(kind), c.byref(format), c.byref(count), c.byref(more), c.byref(data))
        size = count.value * {8: 1, 16: 2, 32: 8}.get(format.value, 0)
        got = c.string_at(data, size) if data and size else b""
        if kind.value == 4:
            return [name(one) for one in struct.unpack("%dL" % count.value, got)]
        return got.decode("latin-1")
    def selection(which, form, time):
        x.XConvertSelection(display, L(which), L(form), L(which), L(own), L(time))
        # What has been lost meanwhile is answered by the server.
        while not x.XCheckTypedWindowEvent(display, L(own), 31, event):
            x.XSync(display, 0)
        return property(own, which, True) if long(56) else ""
    told = []
    def everything(moment, source, time, which):
        got, count = {}, I()
        if source:
            found = x.XListProperties(display, L(source), c.byref(count))
            for index in range(count.value):
                got[name(found[index])] = property(source, found[index])
        if x.XGetSelectionOwner(display, L(which)):
            forms = selection(which, atom("TARGETS"), time)
            got["TARGETS"] = forms
            known = "text/uri-list text/plain UTF8_STRING STRING x-special/gnome-copied-files".split()
            for form in set(known) | set(forms if isinstance(forms, list) else []):
                if form not in ("TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "XdndDirectSave0"):
                    got[form + " data"] = selection(which, atom(form), time)
        if moment == "polled" and got in told:
            return
        told.append(got)
        log.write((moment + " " + repr(got) + "\\n").encode())
    def answer(source, what, *words):
        x.XSync(display, 0)
        message = c.create_string_buffer(192)
        struct.pack_into("iLiPLLi4x5L", message, 0, 33, 0, 1, display.value, source, atom(what), 32, own, *words)
        x.XSendEvent(display, L(source), 0, c.c_long(0), message)
        x.XFlush(display)
    print("shown")
    drag = atom("XdndSelection")
    while True:
        while lie == "polls" and not x.XPending(display):
            everything("polled", x.XGetSelectionOwner(display, L(drag)), 0, drag)
            clock.sleep(0.02)
        x.XNextEvent(display, event)
        kind = struct.unpack_from("i", event)[0]
        if kind == base.value and long(48) and long(48) != own:
            everything("owner of " + name(long(56)), 0, 0, long(56))
        if kind != 33:
            continue
        words = [long(56 + 8 * index) for index in range(5)]
        moment = name(long(40))
        if moment == "XdndEnter":
            log.write(("enter " + repr([name(one) for one in words[2:]]) + "\\n").encode())
        elif moment == "XdndPosition":
            everything("asked", words[0], words[3], drag)
            for turn in range(500 if lie == "floods" else 0):
                answer(words[0], "XdndStatus", turn % 2 * 3, 0, 0, words[4])
                answer(words[0], "XdndFinished", 1, atom("XdndActionMove"), 0, 0)
            answer(words[0], "XdndStatus", 3, 0, 0, words[4])
        elif moment == "XdndDrop":
            everything("dropped", words[0], words[2], drag)
            if lie == "turns":
                answer(words[0], "XdndStatus", 0, 0, 0, 0)
                answer(words[0], "XdndFinished", 0, 0, 0, 0)
            if lie != "never":
                action = "XdndActionMove" if lie == "moves" else "XdndActionCopy"
                answer(words[0], "XdndFinished", 1, atom(action), 0, 0)
    """
}
