// Runs a program and ends it, with everything that it started, when the other end of standard
// input is closed: whoever holds that end may be killed and still leaves nothing behind.
//
// Swift can't do this: between fork and exec, and in a process without threads, C is needed.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

// The parent of a process, 0 when there is no such process any more.
static pid_t parent_of(pid_t process) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  size_t count = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[count] = 0;
  // The name may hold anything, so what follows its last parenthesis is read: state, parent.
  char *end = text, state;
  for (char *here = text; *here; here++) {
    if (*here == ')') end = here + 1;
  }
  int parent = 0;
  return sscanf(end, " %c %d", &state, &parent) == 2 ? parent : 0;
}

// Kills our children; theirs become ours, so that calling it until none is left ends them all.
static void kill_children(void) {
  DIR *folder = opendir("/proc");
  if (!folder) return;
  for (struct dirent *entry; (entry = readdir(folder));) {
    pid_t process = atoi(entry->d_name);
    if (process > 1 && parent_of(process) == getpid()) kill(process, SIGKILL);
  }
  closedir(folder);
}

static void run(char **command, const sigset_t *plain) {
  // Should the keeper itself be killed, at least the program goes with it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask(SIG_SETMASK, plain, NULL);
  for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
  int null = open("/dev/null", O_RDONLY);
  dup2(null, 0);
  // From here, so that it comes before anything that the program writes.
  dprintf(1, "%d\n", (int)getpid());
  execvp(command[0], command);
  _exit(127);
}

int main(int count, char **arguments) {
  if (count < 2) return 64;
  sigset_t handled, plain;
  sigemptyset(&plain);
  sigemptyset(&handled);
  int numbers[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
  for (int index = 0; index < 4; index++) sigaddset(&handled, numbers[index]);
  sigprocmask(SIG_BLOCK, &handled, NULL);
  int signals = signalfd(-1, &handled, SFD_CLOEXEC);
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  pid_t child = fork();
  if (child == 0) run(arguments + 1, &plain);
  // What is written is the program's alone, and ends with the program.
  close(1);

  int is_running = child > 0;
  while (is_running) {
    struct pollfd ends[] = {{.fd = 0, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
    char byte;
    if (ends[0].revents && read(0, &byte, 1) <= 0) break;
    if (!ends[1].revents) continue;
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof info) < 0 || info.ssi_signo != SIGCHLD) break;
    for (pid_t ended; (ended = waitpid(-1, NULL, WNOHANG)) > 0;) {
      if (ended == child) is_running = 0;
    }
  }
  do {
    kill_children();
  } while (waitpid(-1, NULL, 0) > 0 || errno == EINTR);
  return 0;
}
