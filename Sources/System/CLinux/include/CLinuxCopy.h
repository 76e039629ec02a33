#ifndef CLINUX_COPY_H
#define CLINUX_COPY_H
// Calls for copying and placing files that Swift's Glibc module leaves out. All of them answer -1 and
// set errno like the call they stand for.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// copy_file_range(2) is declared for _GNU_SOURCE only.
ssize_t clinux_copy_file_range(int from, int64_t *from_offset, int to, int64_t *to_offset,
                               size_t length);
/// ioctl(2) takes variable arguments, which Swift can't call.
int clinux_clone(int to, int from);
/// fallocate(2) with FALLOC_FL_KEEP_SIZE is declared for _GNU_SOURCE only.
int clinux_reserve(int file, int64_t length);
/// renameat2(2) with RENAME_NOREPLACE is declared for _GNU_SOURCE only.
int clinux_rename_without_replacing(int from_folder, const char *from, int to_folder,
                                    const char *to);
/// SEEK_DATA and SEEK_HOLE are defined for _GNU_SOURCE only.
int64_t clinux_seek_data(int file, int64_t offset);
int64_t clinux_seek_hole(int file, int64_t offset);
/// syncfs(2) is declared for _GNU_SOURCE only.
int clinux_sync_file_system(int file);
/// Extended attributes: <sys/xattr.h> is no part of Swift's Glibc module.
ssize_t clinux_list_attributes(int file, char *names, size_t capacity);
ssize_t clinux_get_attribute(int file, const char *name, void *value, size_t capacity);
int clinux_set_attribute(int file, const char *name, const void *value, size_t length);
/// flock(2) bears the name of a struct in Swift. 1 means that someone else holds the lock.
int clinux_try_lock(int file);
/// Gives such a lock back, also where a child that has only just been made holds the file open, too.
void clinux_unlock(int file);
/// The type of an open file's file system as statfs(2) numbers it; -1 when it does not say. <sys/vfs.h> is
/// no part of Swift's Glibc module.
int64_t clinux_file_system_type(int file);
/// 1 where something is mounted at a name, by statx(2), which is declared for _GNU_SOURCE only; a link is not
/// followed.
int clinux_is_mount_point(int folder, const char *name);
/// 1 where nothing can change a name in a folder, or the folder for an empty name, by the flags of chattr(1);
/// by statx(2).
int clinux_is_protected(int folder, const char *name);
/// F_SETLEASE and F_SETSIG, commands of fcntl(2), are defined for _GNU_SOURCE only.
extern const int clinux_set_lease;
extern const int clinux_set_lease_signal;
/// O_PATH is defined for _GNU_SOURCE only.
extern const int clinux_open_path_only;
/// O_NOATIME is defined for _GNU_SOURCE only.
extern const int clinux_open_without_access_time;
/// O_TMPFILE is defined for _GNU_SOURCE only.
extern const int clinux_open_unnamed;

#endif
