#ifndef CFAULTS_H
#define CFAULTS_H
// Runs a program and has one of its system calls fail, or ends it there. By ptrace(2) and a seccomp
// filter: nothing is put into the program, and only the calls that are looked at are slower.
#include <stdint.h>

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
  int fired;
  int timed_out;
  /// Calls of each kind from the first one on that names a path below the root.
  int counts[48];
};

/// Runs a program to its end.
///
/// - kind, nth: which call fails, the first being 1; a kind of -1 only counts.
/// - error: what it fails with; 0 kills the program instead.
/// - lasts: whether all calls of that kind after it fail as well.
/// - output: a descriptor for both of its outputs.
/// Answers -1 when it could not be started.
int cfaults_run(char *const words[], char *const environment[], const char *root, int output,
                int kind, int nth, int error, int lasts, int milliseconds,
                struct cfaults_end *end);

/// Has a mounted ext4 forget all that it has not written yet, as when its power is cut; -1 where it
/// can't.
int cfaults_cut_power(const char *path);

#endif
