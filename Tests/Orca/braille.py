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

# In a terminal each key's message is shown, and what stands there in the end is the place where the person is
# and what happens there, or the line that is typed: neither nothing nor what they have left.
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


def words():
    """What has to stand there: the place, the item, or what is typed; of a question what was told."""
    state = [record for record in records() if record["kind"] == "state"][-1]
    if state["phase"] == "confirming":
        return typed[0]
    return [state.get("dropPoint") or state.get("item") or ""]


# The text of the line that is open; what was told last where it is empty, or of a question.
typed = [[""]]


def after(key):
    """The messages that a key leads to, whether the first was shown, and what stands there in the end."""
    before = len(texts())
    del shown[:]
    subprocess.run(["xdotool", "key", key], check=True)
    end = time.monotonic() + 10
    while len(texts()) == before and time.monotonic() < end:
        time.sleep(0.05)
    # Orca shows a message for five seconds.
    time.sleep(7)
    told = texts()[before:]
    return told, bool(told) and any(told[0][:30] in line for line in shown), shown[-1:]


end = time.monotonic() + 30
while not texts() and time.monotonic() < end:
    time.sleep(0.1)
time.sleep(5)
wrong = 0
last = [""]
# Each key, and behind it the line that is open then.
keys = [
    "Home", "End", "Up", "Down", "F2", "BackSpace", "End", "Home", "Down", "ctrl+t", "ctrl+t", "space",
    "Tab", "shift+Tab", "Down", "Up", "F2", "F5", "F6", "End", "Home", "Tab", "Return=", "N=N", "e=Ne",
    "w=New", "BackSpace=Ne", "e=Nee", "BackSpace=Ne", "BackSpace=N", "w=Nw", "Left=Nw", "Home=Nw",
    "Escape", "Home", "Return", "Down", "F3", "ctrl+z", "Up", "space", "Escape", "F4=a.txt",
    "End=a.txt", "BackSpace=a.tx", "t=a.txt", "Escape", "question=?", "Escape", "j", "a",
    "n", "F9=?", "Escape", "ctrl+t", "space", "Tab", "Return", "Escape", "Up",
]
for key in keys:
    key, _, line = key.partition("=")
    typed[0] = [line.strip("?")]
    told, isShown, now = after(key)
    last = now or last
    text = last[0]
    # What it shows already it does not show again.
    isShown = isShown or bool(told) and told[0][:30] in text
    isRight = isShown and bool(text.strip()) and all(word[:36] in text for word in words())
    wrong += not isRight
    print(f"| Orca {version} | {key} | {'right' if isRight else 'WRONG'} | {' / '.join(told)} | "
          f"{'shown' if isShown else 'not shown'} | {text or 'nothing'} |", flush=True)
print(f"Orca {version}: of {len(keys)} keys {wrong} leave something wrong on the display", flush=True)
orca.kill()
os._exit(0 if not wrong and all(count == 1 for _, count in counts) else 1)
