#ifndef CTERMINALRESTORE_H
#define CTERMINALRESTORE_H
// Handlers of signals that only make async-signal-safe calls: Swift code may allocate or lock and so
// must not run in one.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// The longest sequence that can be kept for putting a terminal back, in bytes.
#define CTR_LONGEST 128

// What was reported since the last look, as bits.
enum {
  CTR_RESIZED = 1 << 0,    // SIGWINCH
  CTR_CONTINUED = 1 << 1,  // SIGCONT
  CTR_SUSPEND = 1 << 2,    // SIGTSTP
  CTR_TERM = 1 << 3,
  CTR_HUP = 1 << 4,
  CTR_INT = 1 << 5,
  CTR_QUIT = 1 << 6,
  CTR_WAKE = 1 << 7,       // ctr_wake
};

// Keeps what puts the terminal back: `length` bytes written to `fd`, then `modes` set on it. From now
// on ctr_restore, a crash and exit() do so, once. False when `length` is too long.
bool ctr_arm(int fd, const struct termios *modes, const char *bytes, size_t length);

// Puts the terminal back if it is armed, and disarms it. Safe in a signal handler. Waits half a second
// at most for a terminal that takes no bytes.
void ctr_restore(void);

// Whether the terminal is ours: false once anything has put it back.
bool ctr_is_armed(void);

// Takes over the signals; each of them sets its bit and writes a byte to `wake_fd`, which must not
// block. A second TERM, HUP, INT or QUIT puts the terminal back and ends the process; one of sigqueue(3)
// is the second where its value is more than 1. Crashes put the terminal back and go on to who handled
// them before. False with errno set when it fails.
bool ctr_install(int wake_fd);

// Gives the signals back to who handled them before, if they were taken over.
void ctr_uninstall(void);

// The bits set since the last call.
unsigned ctr_take(void);

// Sets CTR_WAKE and writes a byte, from any thread.
void ctr_wake(void);

// The window's size in cells; false when the terminal does not know it.
bool ctr_size(int fd, int *columns, int *rows);

// Swift's Glibc module leaves wcwidth out: columns a character takes, 1 when the C library has no
// answer. ctr_use_utf8 comes first.
int ctr_width(uint32_t character);

// Makes the C library's characters those of UTF-8, whatever the locale says.
void ctr_use_utf8(void);

#endif
