#define _GNU_SOURCE
#include "CFaults.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <sys/time.h>
#include <unistd.h>

#if defined(__x86_64__)

// Beside each name its number, and which argument is a path (-1: none).
struct call {
  int number;
  int path;
};

static const struct cfaults_kind cfaults_kinds[] = {
    {"openat", {EACCES, EMFILE, EIO, ENOENT, 0}},
    {"newfstatat", {EIO, EACCES, ENOENT, 0}},
    {"fstat", {EIO, 0}},
    {"renameat2", {EIO, EACCES, ENOSPC, EXDEV, EINVAL, 0}},
    {"renameat", {EIO, EACCES, 0}},
    {"linkat", {EIO, EPERM, 0}},
    {"unlinkat", {EIO, EACCES, EBUSY, 0}},
    {"mkdirat", {EIO, ENOSPC, EACCES, 0}},
    {"mkdir", {EIO, ENOSPC, EACCES, 0}},
    {"symlinkat", {EIO, ENOSPC, 0}},
    {"readlinkat", {EIO, 0}},
    {"read", {EIO, EINTR, 0}},
    {"write", {ENOSPC, EIO, EINTR, 0}},
    {"pread64", {EIO, EINTR, 0}},
    {"pwrite64", {ENOSPC, EIO, EDQUOT, 0}},
    {"copy_file_range", {EIO, ENOSPC, EINVAL, 0}},
    {"ftruncate", {EIO, ENOSPC, 0}},
    {"fchmod", {EPERM, EIO, 0}},
    {"fchmodat", {EPERM, EIO, 0}},
    {"fchown", {EPERM, EIO, 0}},
    {"fchownat", {EPERM, 0}},
    {"utimensat", {EPERM, EIO, 0}},
    {"fsync", {EIO, ENOSPC, 0}},
    {"fdatasync", {EIO, ENOSPC, 0}},
    {"syncfs", {EIO, ENOSPC, 0}},
    {"getdents64", {EIO, 0}},
    {"faccessat2", {EIO, EACCES, 0}},
    {"faccessat", {EIO, EACCES, 0}},
    {"lseek", {EIO, 0}},
    {"flock", {EIO, 0}},
    {"fcntl", {EIO, EMFILE, 0}},
    {"clone3", {EAGAIN, 0}},
    {"lstat", {EIO, EACCES, 0}},
    {"unlink", {EIO, EACCES, 0}},
    {"ioctl", {EIO, 0}},
    {0, {0}},
};
const int cfaults_kind_count = sizeof cfaults_kinds / sizeof cfaults_kinds[0] - 1;

static const struct call calls[] = {
    {SYS_openat, 1},     {SYS_newfstatat, 1},       {SYS_fstat, -1},    {SYS_renameat2, 1},
    {SYS_renameat, 1},   {SYS_linkat, 1},           {SYS_unlinkat, 1},  {SYS_mkdirat, 1},
    {SYS_mkdir, 0},      {SYS_symlinkat, 2},        {SYS_readlinkat, 1}, {SYS_read, -1},
    {SYS_write, -1},     {SYS_pread64, -1},         {SYS_pwrite64, -1}, {SYS_copy_file_range, -1},
    {SYS_ftruncate, -1}, {SYS_fchmod, -1},          {SYS_fchmodat, 1},  {SYS_fchown, -1},
    {SYS_fchownat, 1},   {SYS_utimensat, 1},        {SYS_fsync, -1},    {SYS_fdatasync, -1},
    {SYS_syncfs, -1},    {SYS_getdents64, -1},      {439, 1},           {SYS_faccessat, 1},
    {SYS_lseek, -1},     {SYS_flock, -1},           {SYS_fcntl, -1},    {SYS_clone3, -1},
    {SYS_lstat, 0},      {SYS_unlink, 0},           {SYS_ioctl, -1},
};

static int kind_of(long number) {
  for (int kind = 0; kind < cfaults_kind_count; kind++)
    if (calls[kind].number == number) return kind;
  return -1;
}

// Stops at all kinds of calls, or at one alone and those that tell when its counting begins: each stop
// takes as long as two programs that wait for each other.
static int install_filter(int only) {
  struct sock_filter filter[128];
  int length = 0;
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                  offsetof(struct seccomp_data, nr));
  for (int kind = 0; kind < cfaults_kind_count; kind++) {
    if (only >= 0 && kind != only && calls[kind].path < 0) continue;
    filter[length++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[kind].number, 0, 1);
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  }
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {length, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static unsigned long long argument(const struct user_regs_struct *registers, int index) {
  switch (index) {
  case 0: return registers->rdi;
  case 1: return registers->rsi;
  default: return registers->rdx;
  }
}

static int names_root(pid_t thread, unsigned long long address, const char *root) {
  char text[256] = {0};
  size_t length = strlen(root);
  if (length >= sizeof text || !address) return 0;
  struct iovec own = {text, length}, other = {(void *)address, length};
  return process_vm_readv(thread, &own, 1, &other, 1, 0) == (ssize_t)length &&
         memcmp(text, root, length) == 0;
}

// Whether the runtime asks how its threads do, which Dispatch does once a second, and ends the program
// where it gets no answer. That is nothing that the program can mend.
static int is_of_runtime(pid_t thread, unsigned long long address) {
  static const char digits[] = "123456789";
  char folder[8] = "/proc/";
  for (int index = 0; digits[index]; index++) {
    folder[6] = digits[index];
    if (names_root(thread, address, folder)) return 1;
  }
  return 0;
}

// Whether a call is one of a disk that people have: the rest returns, or nothing would run at all.
static int is_of_disk(pid_t thread, unsigned long long argument, int is_path) {
  static const char *const others[] = {"/dev/", "/proc/", "/sys/", "/usr/", "/etc/", "/memfd"};
  char path[48], link[256] = {0};
  snprintf(path, sizeof path, "/proc/%d/fd/%d", thread, (int)argument);
  if (!is_path && (argument <= 2 || readlink(path, link, sizeof link - 1) <= 0 || link[0] != '/'))
    return 0;
  for (unsigned index = 0; index < sizeof others / sizeof others[0]; index++) {
    const char *other = others[index];
    if (is_path ? names_root(thread, argument, other) : !strncmp(link, other, strlen(other)))
      return 0;
  }
  return 1;
}

// Only ends a wait.
static void woken(int signal) { (void)signal; }

static void wake_after(long microseconds) {
  struct sigaction action = {.sa_handler = woken};
  sigaction(SIGALRM, &action, 0);
  // The process that started this may have it blocked.
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, 0);
  struct itimerval timer = {{0, 200000}, {microseconds / 1000000, microseconds % 1000000}};
  if (microseconds == 0) memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_REAL, &timer, 0);
}

// Whether a program that is told to end does something about it. Where it does not, the kernel ends it,
// but for a thread that is held here.
static int hears_term(pid_t process) {
  char path[32], line[128];
  unsigned long long ignored = 0, caught = 0;
  snprintf(path, sizeof path, "/proc/%d/status", process);
  FILE *status = fopen(path, "re");
  if (!status) return 0;
  while (fgets(line, sizeof line, status)) {
    sscanf(line, "SigIgn: %llx", &ignored);
    sscanf(line, "SigCgt: %llx", &caught);
  }
  fclose(status);
  return (ignored | caught) >> (SIGTERM - 1) & 1;
}

int cfaults_run(char *const words[], char *const environment[], const char *root, int output,
                struct cfaults_order order, struct cfaults_end *end) {
  memset(end, 0, sizeof *end);
  int is_watched = order.kind != cfaults_none;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    if (is_watched) {
      ptrace(PTRACE_TRACEME, 0, 0, 0);
      raise(SIGSTOP);
      if (install_filter(order.kind)) _exit(126);
    }
    execve(words[0], words, environment);
    _exit(127);
  }
  int status = 0;
  if (is_watched) {
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
    ptrace(PTRACE_SETOPTIONS, child, 0,
           PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
               PTRACE_O_EXITKILL);
    ptrace(PTRACE_CONT, child, 0, 0);
  }
  wake_after(order.kill_after ? order.kill_after : order.milliseconds * 1000L);
  int armed = 0, is_over = 0, held_count = 0, is_late = 0;
  pid_t held[64];
  while (!is_over) {
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0 && errno == EINTR && held_count && !is_late) {
      // The time of the calls that do not return.
      is_late = 1;
      if (order.grace) kill(child, hears_term(child) ? SIGTERM : SIGKILL);
      wake_after((order.grace ? order.grace : order.milliseconds) * 1000L);
      while (held_count && !order.grace) ptrace(PTRACE_CONT, held[--held_count], 0, 0);
      continue;
    }
    if (thread < 0 && errno == EINTR) {
      end->timed_out = !order.kill_after;
      kill(child, SIGKILL);
      continue;
    }
    if (thread < 0) break;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (thread == child) {
        end->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        if (order.kill_after) end->fired = end->status == -SIGKILL;
        is_over = 1;
      }
      continue;
    }
    int signal = WSTOPSIG(status);
    if (signal == SIGTRAP && status >> 16 == PTRACE_EVENT_SECCOMP) {
      struct user_regs_struct registers;
      ptrace(PTRACE_GETREGS, thread, 0, &registers);
      int found = kind_of((long)registers.orig_rax);
      if (found >= 0) {
        if (!armed && calls[found].path >= 0)
          armed = names_root(thread, argument(&registers, calls[found].path), root);
        int path = calls[found].path;
        if (armed && path >= 0 && is_of_runtime(thread, argument(&registers, path))) {
          // Not counted either.
        } else if (armed) {
          end->counts[found]++;
          int number = end->counts[found];
          int is_meant = number == order.nth || (order.lasts && number > order.nth);
          if (found == order.kind && is_meant && order.held)
            is_meant = is_of_disk(thread, argument(&registers, path < 0 ? 0 : path), path >= 0);
          if (found == order.kind && is_meant) {
            if (order.meanwhile) order.meanwhile(order.context);
            if (order.held && !end->fired) wake_after(order.held * 1000L);
            end->fired = 1;
            if (order.held) {
              int is_let_go = (is_late && !order.grace) || held_count == 64;
              if (!is_let_go) held[held_count++] = thread;
              if (!is_let_go) continue;
            } else if (order.meanwhile ? order.kills : order.error == 0) {
              kill(child, SIGKILL);
            } else if (order.error) {
              registers.orig_rax = (unsigned long long)-1;
              registers.rax = (unsigned long long)-(long long)order.error;
              ptrace(PTRACE_SETREGS, thread, 0, &registers);
            }
          }
        }
      }
      signal = 0;
    } else if (signal == SIGTRAP || signal == SIGSTOP) {
      signal = 0;
    }
    ptrace(PTRACE_CONT, thread, 0, signal);
  }
  wake_after(0);
  // Whoever it left behind: a voice, a helper.
  kill(-child, SIGKILL);
  while (waitpid(-1, &status, __WALL | WNOHANG) > 0) continue;
  return 0;
}

#else
static const struct cfaults_kind cfaults_kinds[] = {{0, {0}}};
const int cfaults_kind_count = 0;
int cfaults_run(char *const words[], char *const environment[], const char *root, int output,
                struct cfaults_order order, struct cfaults_end *end) {
  return -1;
}
#endif

int cfaults_put(const char *from, const char *to, int exchanges) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, exchanges ? RENAME_EXCHANGE : RENAME_NOREPLACE);
}

int cfaults_own_mounts(void) {
  if (unshare(CLONE_NEWNS)) return -1;
  return mount("none", "/", 0, MS_REC | MS_PRIVATE, 0);
}

int cfaults_cut_power(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  // EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH.
  unsigned flags = 2;
  int result = ioctl(folder, 0x8004587d, &flags);
  close(folder);
  return result;
}

const struct cfaults_kind *cfaults_kind(int kind) { return &cfaults_kinds[kind]; }
