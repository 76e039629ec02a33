#ifndef KEYDRAG_CARCHIVE_H
#define KEYDRAG_CARCHIVE_H

// The part of libarchive 3 that reads. The library comes with most programs for archives: it is loaded
// with the first call, and without it every call fails.
#include <archive.h>
#include <archive_entry.h>

/// A reader of tar, zip, 7z, cpio, ISO 9660, RAR, LHA, CAB, ar and xar, compressed or not; NULL without
/// the library. Formats that name files of this computer (mtree) and filters that start programs are
/// left out.
struct archive *carchive_reader(void);

/// The next header, with names read as the locale C.UTF-8 has them: the library converts names to the
/// locale of the thread, and in the one that programs begin in all but ASCII is lost.
int carchive_next(struct archive *, struct archive_entry **);
/// The name of an entry in UTF-8, or its bytes as they are in the archive.
const char *carchive_name(struct archive_entry *);

#endif
