#define _GNU_SOURCE
#include "CLinuxSocket.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

ssize_t clinux_send(int socket, const void *bytes, size_t count, int file) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  if (file >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof(control.room);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &file, sizeof(int));
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t clinux_receive(int socket, void *bytes, size_t count, int *files, int most, int *received) {
  *received = 0;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int) * 4)];
  } control;
  if (most > 4) most = 4;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
  message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)most);
  ssize_t result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (result < 0) return result;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    size_t sent = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < sent; index++) {
      int file;
      memcpy(&file, CMSG_DATA(head) + index * sizeof(int), sizeof(int));
      // The room is as long as the processor's words, so that one more than was asked for may fit.
      if (*received < most) {
        files[(*received)++] = file;
      } else {
        close(file);
      }
    }
  }
  return result;
}
