// GIO with the programs of .desktop files, and what a started program needs.
#include <gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <signal.h>
#include <unistd.h>

// Runs in the child between fork and exec, where only async-signal-safe functions may be called,
// which no Swift closure promises to keep to.
static inline void keydrag_leave_terminal(void *unused) {
  (void)unused;
  setsid();
  // What we ignore or block is no business of the program's.
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}
