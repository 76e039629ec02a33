#ifndef CFAULTS_H
#define CFAULTS_H
// Runs a program and has one of its system calls fail, or ends it there. By ptrace(2) and a seccomp
// filter: nothing is put into the program, and only the calls that are looked at are slower.
#include <stdint.h>
// Calls of the comparison that Glibc lacks.
#include <sys/xattr.h>

/// One kind of call, as the table of kinds lists them.
struct cfaults_kind {
  const char *name;
  /// Errors that it may plausibly give, ended by 0.
  int errors[6];
};

/// One of the kinds of calls that can be made to fail.
const struct cfaults_kind *cfaults_kind(int kind);
/// How many there are.
extern const int cfaults_kind_count;

struct cfaults_end {
  /// The exit status; minus the signal where one ended it.
  int status;
  /// Whether the call that is to fail was made, or the program lived until it was killed.
  int fired;
  int timed_out;
  /// Calls of each kind from the first one on that names a path below the root, as far as they are
  /// looked at.
  int counts[48];
};

/// In the place of a kind of call: all are only counted.
static const int cfaults_counted = -1;
/// In the place of a kind of call: none is looked at.
static const int cfaults_none = -2;

struct cfaults_order {
  /// Which kind of call fails, or one of the two above.
  int kind;
  /// Which of these calls, the first being 1.
  int nth;
  /// What it fails with; 0 kills the program instead.
  int error;
  /// Whether all calls of that kind after it fail as well.
  int lasts;
  /// How long it may take.
  int milliseconds;
  /// Microseconds after which it is killed, whatever it does then; 0 where it is not.
  int kill_after;
  /// In the place of an error: milliseconds for which the call does not return; 0 where it does.
  int held;
  /// Milliseconds that it has to end once it is told to after that time, the call being held still; 0
  /// where it is let go then instead.
  int grace;
  /// Called in the place of the call, or before it is killed there, while the thread waits.
  void (*meanwhile)(void *);
  void *context;
  /// Whether the program is killed after that.
  int kills;
};

/// Runs a program to its end, with both of its outputs into a descriptor.
///
/// Answers -1 when it could not be started.
int cfaults_run(char *const words[], char *const environment[], const char *root, int output,
                struct cfaults_order order, struct cfaults_end *end);

/// Lets two paths change places, or one take a name that is free; -1 where that can't be.
int cfaults_put(const char *from, const char *to, int exchanges);

/// Has what this thread mounts be seen and kept by this process alone; -1 where it can't.
int cfaults_own_mounts(void);

/// Has a mounted ext4 forget all that it has not written yet, as when its power is cut; -1 where it
/// can't.
int cfaults_cut_power(const char *path);

#endif
