#ifndef CPSEUDOTERMINAL_H
#define CPSEUDOTERMINAL_H
#include <sys/types.h>

// Opens a pseudo-terminal of a size in cells; 0, or -1 with errno set.
int cpt_open(int columns, int rows, int *primary, int *secondary);

// Gives it another size, which sends WINCH to its foreground.
int cpt_resize(int primary, int columns, int rows);

// Starts a program as the leader of a new session on the terminal, `events` as its descriptor 3.
// Its id, or -1 with errno set.
pid_t cpt_spawn(int secondary, int events, const char *path, char *const *arguments,
                char *const *environment);

// How a child ended or stopped, after waiting for it: its exit status; 256 + the signal that ended it;
// 512 + the signal that stopped it; -1 when there is no such child.
int cpt_wait(pid_t child);

#endif
