#ifndef KEYDRAG_CLATELIBRARY_H
#define KEYDRAG_CLATELIBRARY_H

#include <stdatomic.h>

/// A library that is loaded with the first call into it, not with the program, and stays.
typedef struct {
  /// Its file, as the linker names it ("libasound.so.2").
  const char *file;
  void *_Atomic handle;
} late_library;

/// The library's own function of a name; NULL without the library, or where it has none of the name.
/// For any thread.
void *late_function(late_library *library, const char *name);

/// Defines a function that calls the one of the same name in the library, which its header declares;
/// without it the answer is `failure`. Hidden: it shall not stand in for the library's where the
/// library calls itself.
#define LATE_FUNCTION(library, result, name, parameters, arguments, failure) \
  __attribute__((visibility("hidden"))) result name parameters { \
    __typeof__(&name) call = (__typeof__(&name))late_function(&library, #name); \
    return call ? call arguments : (failure); \
  }

#endif
