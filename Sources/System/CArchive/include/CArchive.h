#ifndef KEYDRAG_CARCHIVE_H
#define KEYDRAG_CARCHIVE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

// The part of libarchive 3 (libarchive.so.13) that reads. Its own header is in a package for
// developers, and the library comes with most programs for archives: it is loaded with the first call,
// and without it every call fails. Names and types are those of archive.h and archive_entry.h.

struct archive;
struct archive_entry;

#define ARCHIVE_EOF 1
#define ARCHIVE_OK 0
#define ARCHIVE_WARN (-20)
#define ARCHIVE_FATAL (-30)

/// A reader of tar, zip, 7z, cpio, ISO 9660, RAR, LHA, CAB, ar and xar, compressed or not; NULL without
/// the library. Formats that name files of this computer (mtree) and filters that start programs are
/// left out.
struct archive *carchive_reader(void);

/// The next header, with names read as the locale C.UTF-8 has them: the library converts names to the
/// locale of the thread, and in the one that programs begin in all but ASCII is lost.
int carchive_next(struct archive *, struct archive_entry **);
/// The name of an entry in UTF-8, or its bytes as they are in the archive.
const char *carchive_name(struct archive_entry *);

int archive_read_open_fd(struct archive *, int file, size_t block);
ssize_t archive_read_data(struct archive *, void *bytes, size_t count);
int archive_read_free(struct archive *);

/// The name of a file that this one is the same as; NULL for others.
const char *archive_entry_hardlink(struct archive_entry *);
mode_t archive_entry_filetype(struct archive_entry *);
mode_t archive_entry_perm(struct archive_entry *);
int64_t archive_entry_size(struct archive_entry *);
time_t archive_entry_mtime(struct archive_entry *);
int archive_entry_mtime_is_set(struct archive_entry *);
int archive_entry_is_encrypted(struct archive_entry *);

#endif
