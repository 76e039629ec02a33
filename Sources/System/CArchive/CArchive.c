#define _GNU_SOURCE
#include "CArchive.h"

#include "CLateLibrary.h"

#include <locale.h>
#include <stdatomic.h>

static late_library library = {.file = "libarchive.so.13"};

typedef int (*setting)(struct archive *);

static const char *const settings[] = {
    "archive_read_support_filter_bzip2",  "archive_read_support_filter_compress",
    "archive_read_support_filter_gzip",   "archive_read_support_filter_lz4",
    "archive_read_support_filter_lzip",   "archive_read_support_filter_lzma",
    "archive_read_support_filter_xz",     "archive_read_support_filter_zstd",
    "archive_read_support_format_7zip",   "archive_read_support_format_ar",
    "archive_read_support_format_cab",    "archive_read_support_format_cpio",
    "archive_read_support_format_iso9660", "archive_read_support_format_lha",
    "archive_read_support_format_rar",    "archive_read_support_format_rar5",
    "archive_read_support_format_tar",    "archive_read_support_format_xar",
    "archive_read_support_format_zip",
};

struct archive *carchive_reader(void) {
  struct archive *(*make)(void) = (struct archive * (*)(void)) late_function(&library, "archive_read_new");
  struct archive *reader = make ? make() : NULL;
  if (!reader) return NULL;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    // An older library has fewer of them.
    setting add = (setting)late_function(&library, settings[i]);
    if (add) add(reader);
  }
  return reader;
}

/// Has the calling thread read text as UTF-8; returns the locale that it had.
static locale_t begin_utf8(void) {
  static locale_t _Atomic utf8;
  locale_t locale = atomic_load(&utf8);
  if (!locale) {
    // Two threads at once make two, of which one is never freed.
    locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    atomic_store(&utf8, locale);
  }
  return uselocale(locale);
}

int carchive_next(struct archive *archive, struct archive_entry **entry) {
  int (*next)(struct archive *, struct archive_entry **) =
      (int (*)(struct archive *, struct archive_entry **))late_function(
          &library, "archive_read_next_header");
  if (!next) return ARCHIVE_FATAL;
  locale_t before = begin_utf8();
  int result = next(archive, entry);
  uselocale(before);
  return result;
}

typedef const char *(*naming)(struct archive_entry *);

const char *carchive_name(struct archive_entry *entry) {
  naming utf8 = (naming)late_function(&library, "archive_entry_pathname_utf8");
  naming raw = (naming)late_function(&library, "archive_entry_pathname");
  if (!utf8 || !raw) return NULL;
  locale_t before = begin_utf8();
  const char *name = utf8(entry);
  if (!name) name = raw(entry);
  uselocale(before);
  return name;
}

LATE_FUNCTION(library, int, archive_read_open_fd, (struct archive * a, int file, size_t block),
    (a, file, block), ARCHIVE_FATAL)

LATE_FUNCTION(library, la_ssize_t, archive_read_data, (struct archive * a, void *bytes, size_t count),
    (a, bytes, count), ARCHIVE_FATAL)

LATE_FUNCTION(library, int, archive_read_free, (struct archive * a), (a), ARCHIVE_FATAL)

LATE_FUNCTION(library, const char *, archive_entry_hardlink, (struct archive_entry * e), (e), NULL)

LATE_FUNCTION(library, mode_t, archive_entry_filetype, (struct archive_entry * e), (e), 0)

LATE_FUNCTION(library, mode_t, archive_entry_perm, (struct archive_entry * e), (e), 0)

LATE_FUNCTION(library, la_int64_t, archive_entry_size, (struct archive_entry * e), (e), 0)

LATE_FUNCTION(library, time_t, archive_entry_mtime, (struct archive_entry * e), (e), 0)

LATE_FUNCTION(library, int, archive_entry_mtime_is_set, (struct archive_entry * e), (e), 0)

LATE_FUNCTION(library, int, archive_entry_is_encrypted, (struct archive_entry * e), (e), 0)
