"""Runs a key script and a terminal beside Orca and BRLTTY's virtual display; compares what is told with
what is shown, and what stays there."""

import fcntl, json, os, re, socket, struct, subprocess, sys, threading, time

version, reader, keydrag = sys.argv[1:4]
number = int(version.split(".")[0])
way = "orca" if number >= 49 else "atspi" if number >= 46 else "notification"
home = "/tmp/home"
for name in ["run", "Inbox", "Docs"]:
    os.makedirs(f"{home}/{name}", 0o700)
for name in ["notes.txt", "a.txt"]:
    open(f"{home}/Inbox/{name}", "w").close()
os.environ.update(HOME=home, XDG_RUNTIME_DIR=home + "/run")

# The loopback interface of a new network is down.
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
    request = struct.pack("16sh", b"lo", 0x1 | 0x40)
    fcntl.ioctl(any_socket, 0x8914, request)


def start(*command, **more):
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, **more)


display = start("Xvfb", "-displayfd", "1", "-nolisten", "tcp", stdout=subprocess.PIPE)
os.environ["DISPLAY"] = ":" + display.stdout.readline().decode().strip()
bus = start("dbus-daemon", "--session", "--nofork", "--print-address=1", stdout=subprocess.PIPE)
os.environ["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
port = 35751
brltty = start("brltty", "-b", "vr", "-d", f"server:127.0.0.1:{port}", "-x", "no", "-A",
               "auth=none", "-n", "-e", "-l", "critical", stdout=subprocess.DEVNULL)
end = time.monotonic() + 20
while True:
    try:
        cells = socket.create_connection(("127.0.0.1", port))
        break
    except OSError:
        if time.monotonic() > end:
            sys.exit("BRLTTY is not there")
        time.sleep(0.1)
cells.sendall(b"CELLS 40\n")
shown = []
changed = threading.Condition()


def read():
    for line in cells.makefile("rb"):
        match = re.match(r'Visual "(.*)"', line.decode(errors="replace"))
        if match:
            with changed:
                shown.append(match[1].rstrip())
                changed.notify_all()


def wait(text, seconds):
    with changed:
        return changed.wait_for(lambda: any(text in line for line in shown), seconds)


threading.Thread(target=read, daemon=True).start()
# Its speech is off: a voice without a sound device keeps Orca 43 waiting.
orca = start(reader, "--disable", "speech", stdout=subprocess.DEVNULL)
if not wait("eader on", 30):
    sys.exit("Orca shows nothing")
del shown[:]
run = start(keydrag, "files", home + "/Inbox", home + "/Docs", "--keys",
            '"notes" space "docs" enter ctrl+z', "--announce", way, "--transcript", "-",
            stdout=subprocess.PIPE)
records = [json.loads(line) for line in run.stdout]


def joined(records):
    """What the reader is given: a pick-up with the first place, and a question with its first answer."""
    texts, last = [], None
    for record in records:
        if record["kind"] == "announcement":
            if (last, record["id"]) in [("picked-up", "drop-point"), ("confirm", "choice")]:
                texts[-1] += " " + record["text"]
            else:
                texts.append(record["text"])
            last = record["id"]
    return texts


told = joined(records)
wait(told[-1][:40].strip(), 10)

# Forty cells show the beginning of a longer message; a key of the display shows its rest.
counts = [(text, sum(line == text[:40].rstrip() for line in shown)) for text in told]
pan = "not shown"
del shown[:]
run = start(keydrag, "files", home + "/Inbox", "--keys", "?", "--announce", way,
            "--transcript", "-", stdout=subprocess.PIPE)
records = [json.loads(line) for line in run.stdout]
long = next(record["text"] for record in records if record.get("id") == "help")
if wait(long[:40].strip(), 5):
    cells.sendall(b"FWINRT\n")
    pan = "panned" if wait(long[45:60].strip(), 5) else "not panned"
for text, count in counts:
    print(f"Orca {version}: shown {count} times: {text}")
print(f"Orca {version}: {len(told)} told, {sum(count == 1 for _, count in counts)} shown once; "
      f"a long one is {pan}", flush=True)

# In a terminal each key's message is shown, and after it the words at the cursor: the place where the
# person is, and neither nothing nor one that they have left.
start("openbox")
transcript = home + "/transcript"
start("xfce4-terminal", "--disable-server", "--hide-menubar", "--geometry=80x24", "-x",
      keydrag, "files", home + "/Inbox", home + "/Docs", "--transcript", transcript)


def records():
    if not os.path.exists(transcript):
        return []
    return [json.loads(line) for line in open(transcript) if line.endswith("\n")]


def texts():
    return joined(records())


def place():
    """The name of the place or the item at which the person is; a question has none."""
    states = [record for record in records() if record["kind"] == "state"]
    return states[-1].get("dropPoint") or states[-1].get("item") or "" if states else ""


def after(key):
    """The last message that a key leads to, whether it was shown, and what stands there in the end."""
    before = len(texts())
    del shown[:]
    subprocess.run(["xdotool", "key", key], check=True)
    end = time.monotonic() + 10
    while len(texts()) == before and time.monotonic() < end:
        time.sleep(0.05)
    # Orca shows a message for five seconds.
    time.sleep(8)
    told = texts()[before:]
    return told, bool(told) and any(told[0][:30] in line for line in shown), shown[-1:]


end = time.monotonic() + 30
while not texts() and time.monotonic() < end:
    time.sleep(0.1)
time.sleep(5)
stays = True
for key in ["Home", "End", "F2", "BackSpace", "End", "space", "Tab", "F2", "Return", "Escape",
            "Escape"]:
    told, isShown, last = after(key)
    line = last[0] if last else ""
    isPlace = bool(line) and place() in line
    isRight = isShown and isPlace
    stays = stays and isRight
    print(f"Orca {version}: {key}: {'right' if isRight else 'WRONG'}: told {told}, shown {isShown}, "
          f"in the end {line or 'nothing'!r}", flush=True)
orca.kill()
os._exit(0 if stays and all(count == 1 for _, count in counts) else 1)
