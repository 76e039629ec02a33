#define _GNU_SOURCE
#include "CTerminalRestore.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

// Written before `armed` is set and read after it was taken: no handler sees a half of it.
static struct {
  int fd;
  struct termios modes;
  char bytes[CTR_LONGEST];
  size_t length;
} kept;
static atomic_int armed;
static atomic_int wake_fd = -1;
static atomic_uint pending;
static atomic_uint ended;
static atomic_int installed;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
static const int reports[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGHUP, SIGINT, SIGQUIT};
enum { CRASHES = sizeof crashes / sizeof *crashes, REPORTS = sizeof reports / sizeof *reports };
static struct sigaction before_crash[CRASHES];
static struct sigaction before_report[REPORTS];

// A crash by running out of stack needs another one to be handled on.
static char spare_stack[64 * 1024];

bool ctr_arm(int fd, const struct termios *modes, const char *bytes, size_t length) {
  if (length > CTR_LONGEST) return false;
  static atomic_flag registered = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&registered)) atexit(ctr_restore);
  atomic_store(&armed, 0);
  kept.fd = fd;
  kept.modes = *modes;
  memcpy(kept.bytes, bytes, length);
  kept.length = length;
  atomic_store(&armed, 1);
  return true;
}

void ctr_restore(void) {
  if (!atomic_exchange(&armed, 0)) return;
  int saved = errno;
  // Setting modes from the background would stop the process instead.
  sigset_t quiet, previous;
  sigemptyset(&quiet);
  sigaddset(&quiet, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &quiet, &previous);
  // A terminal that takes nothing for half a second gets its modes back and no more.
  struct pollfd ready = {.fd = kept.fd, .events = POLLOUT};
  for (size_t done = 0; done < kept.length && poll(&ready, 1, 500) == 1;) {
    ssize_t written = write(kept.fd, kept.bytes + done, kept.length - done);
    if (written < 0 && errno != EAGAIN && errno != EINTR) break;
    if (written > 0) done += written;
  }
  tcsetattr(kept.fd, TCSANOW, &kept.modes);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  errno = saved;
}

bool ctr_is_armed(void) { return atomic_load(&armed); }

static void note(unsigned bit) {
  int saved = errno;
  atomic_fetch_or(&pending, bit);
  // A full pipe is as good as a byte more: the reader wakes and takes every bit.
  ssize_t written = write(atomic_load(&wake_fd), "", 1);
  (void)written;
  errno = saved;
}

void ctr_wake(void) { note(CTR_WAKE); }

unsigned ctr_take(void) { return atomic_exchange(&pending, 0); }

static unsigned bit_of(int signal) {
  switch (signal) {
    case SIGWINCH: return CTR_RESIZED;
    case SIGCONT: return CTR_CONTINUED;
    case SIGTSTP: return CTR_SUSPEND;
    case SIGTERM: return CTR_TERM;
    case SIGHUP: return CTR_HUP;
    case SIGINT: return CTR_INT;
    default: return CTR_QUIT;
  }
}

static void on_report(int signal, siginfo_t *info, void *context) {
  (void)context;
  unsigned bit = bit_of(signal);
  unsigned ends = CTR_TERM | CTR_HUP | CTR_INT | CTR_QUIT;
  bool came = (bit & ends) && (atomic_fetch_or(&ended, bit) & bit);
  // One that is passed on may have come here, too: how often it came is its value.
  bool again = info->si_code == SI_QUEUE ? info->si_value.sival_int > 1
                                         : came && signal != SIGHUP;
  if (again) {
    // Asked a second time: whoever was told the first time does not end.
    ctr_restore();
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(signal, &plain, NULL);
    raise(signal);  // Delivered when this handler returns.
    return;
  }
  note(bit);
}

static void on_crash(int signal, siginfo_t *info, void *context) {
  (void)context;
  ctr_restore();
  for (int i = 0; i < CRASHES; i++) {
    if (crashes[i] == signal) sigaction(signal, &before_crash[i], NULL);
  }
  // A fault comes again, with its address, when this handler returns; everything else is sent again.
  bool again = info->si_code > 0 && signal != SIGTRAP && signal != SIGSYS;
  if (!again) raise(signal);
}

static bool install(const int *signals, int count, struct sigaction *before,
                    const struct sigaction *action) {
  for (int i = 0; i < count; i++) {
    if (sigaction(signals[i], action, &before[i]) != 0) return false;
  }
  return true;
}

bool ctr_install(int fd) {
  atomic_store(&wake_fd, fd);
  atomic_store(&pending, 0);
  atomic_store(&ended, 0);
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
    stack = (stack_t){.ss_sp = spare_stack, .ss_size = sizeof spare_stack};
    sigaltstack(&stack, NULL);
  }
  atomic_store(&installed, 1);
  struct sigaction report = {.sa_sigaction = on_report,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  sigfillset(&report.sa_mask);
  struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&crash.sa_mask);
  if (!install(reports, REPORTS, before_report, &report)) return false;
  for (int i = 0; i < REPORTS; i++) {
    // Whoever started us wants these ignored (nohup, a shell without job control).
    bool ignored = before_report[i].sa_handler == SIG_IGN;
    if (ignored && reports[i] != SIGWINCH) sigaction(reports[i], &before_report[i], NULL);
  }
  return install(crashes, CRASHES, before_crash, &crash);
}

void ctr_uninstall(void) {
  if (!atomic_exchange(&installed, 0)) return;
  struct pollfd terminal = {.fd = kept.fd};
  bool closed = poll(&terminal, 1, 0) == 1 || (atomic_load(&ended) & CTR_HUP);
  for (int i = 0; i < REPORTS; i++) {
    // HUP comes from a closed terminal and from the shell in it: what is left to do is done.
    if (reports[i] != SIGHUP || !closed) sigaction(reports[i], &before_report[i], NULL);
  }
  for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &before_crash[i], NULL);
  atomic_store(&wake_fd, -1);
}

bool ctr_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return true;
}

int ctr_width(uint32_t character) {
  int width = wcwidth((wchar_t)character);
  return width < 0 ? 1 : width;
}

void ctr_use_utf8(void) {
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
}
