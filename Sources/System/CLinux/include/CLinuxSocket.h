#ifndef CLINUX_SOCKET_H
#define CLINUX_SOCKET_H
// Open files on their way over a socket, for which the C library has macros that Swift can't call.
#include <stddef.h>
#include <sys/types.h>

/// send(2), which never raises a signal, with an open file; -1 for none.
ssize_t clinux_send(int socket, const void *bytes, size_t count, int file);
/// recv(2), with the open files that have come with these bytes: at most `most` of them, closed in
/// programs that are started. The kernel closes further ones.
ssize_t clinux_receive(int socket, void *bytes, size_t count, int *files, int most, int *received);

#endif
