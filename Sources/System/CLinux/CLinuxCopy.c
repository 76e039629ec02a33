#define _GNU_SOURCE
#include "CLinuxCopy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <sys/vfs.h>

const int clinux_open_path_only = O_PATH;
const int clinux_open_without_access_time = O_NOATIME;
const int clinux_open_unnamed = O_TMPFILE;

ssize_t clinux_copy_file_range(int from, int64_t *from_offset, int to, int64_t *to_offset,
                               size_t length) {
  return copy_file_range(from, from_offset, to, to_offset, length, 0);
}

int clinux_clone(int to, int from) { return ioctl(to, FICLONE, from); }

int clinux_reserve(int file, int64_t length) {
  return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, length);
}

int clinux_rename_without_replacing(int from_folder, const char *from, int to_folder,
                                    const char *to) {
  return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int64_t clinux_seek_data(int file, int64_t offset) { return lseek(file, offset, SEEK_DATA); }

int64_t clinux_seek_hole(int file, int64_t offset) { return lseek(file, offset, SEEK_HOLE); }

int clinux_sync_file_system(int file) { return syncfs(file); }

ssize_t clinux_list_attributes(int file, char *names, size_t capacity) {
  return flistxattr(file, names, capacity);
}

ssize_t clinux_get_attribute(int file, const char *name, void *value, size_t capacity) {
  return fgetxattr(file, name, value, capacity);
}

int clinux_set_attribute(int file, const char *name, const void *value, size_t length) {
  return fsetxattr(file, name, value, length, 0);
}

int clinux_try_lock(int file) {
  int result;
  do {
    result = flock(file, LOCK_EX | LOCK_NB);
  } while (result == -1 && errno == EINTR);
  return result == -1 && errno == EWOULDBLOCK ? 1 : result;
}

void clinux_unlock(int file) { flock(file, LOCK_UN); }

const int clinux_set_lease = F_SETLEASE;
const int clinux_set_lease_signal = F_SETSIG;

int64_t clinux_file_system_type(int file) {
  struct statfs system;
  return fstatfs(file, &system) == 0 ? (int64_t)system.f_type : -1;
}

int clinux_is_protected(int folder, const char *name) {
  struct statx found;
  int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC | AT_EMPTY_PATH;
  if (statx(folder, name, flags, 0, &found) != 0) return -1;
  return (found.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) != 0;
}

int clinux_is_mount_point(int folder, const char *name) {
  struct statx found;
  int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
  if (statx(folder, name, flags, 0, &found) != 0) return -1;
  return (found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}
