#include "CLateLibrary.h"

#include <dlfcn.h>
#include <stddef.h>

void *late_function(late_library *library, const char *name) {
  void *handle = atomic_load(&library->handle);
  if (!handle) {
    // Two threads at once get the same handle.
    handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return NULL;
    atomic_store(&library->handle, handle);
  }
  return dlsym(handle, name);
}
