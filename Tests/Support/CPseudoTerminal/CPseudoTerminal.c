#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Not openpty: a child that another test starts at this moment would get both ends and keep them.
int cpt_open(int columns, int rows, int *primary, int *secondary) {
  struct winsize size = {.ws_col = columns, .ws_row = rows};
  int control = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (control < 0) return -1;
  int terminal = -1;
  if (grantpt(control) == 0 && unlockpt(control) == 0)
    terminal = ioctl(control, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || ioctl(control, TIOCSWINSZ, &size) != 0) {
    close(control);
    if (terminal >= 0) close(terminal);
    return -1;
  }
  *primary = control;
  *secondary = terminal;
  return 0;
}

int cpt_resize(int primary, int columns, int rows) {
  struct winsize size = {.ws_col = columns, .ws_row = rows};
  return ioctl(primary, TIOCSWINSZ, &size);
}

pid_t cpt_spawn(int secondary, int events, const char *path, char *const *arguments,
                char *const *environment) {
  pid_t child = fork();
  if (child != 0) return child;
  setsid();
  ioctl(secondary, TIOCSCTTY, 0);
  for (int stream = 0; stream < 3; stream++) dup2(secondary, stream);
  dup2(events, 3);
  // A file that another test is just writing would stay open for writing in here.
  close_range(4, ~0U, 0);
  for (int signal = 1; signal < 32; signal++) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(signal, &plain, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(path, arguments, environment);
  _exit(127);
}

int cpt_wait(pid_t child) {
  int status;
  while (waitpid(child, &status, WUNTRACED) < 0) {
    if (errno != EINTR) return -1;
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (WIFSIGNALED(status)) return 256 + WTERMSIG(status);
  return 512 + WSTOPSIG(status);
}
