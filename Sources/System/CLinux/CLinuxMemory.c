#define _GNU_SOURCE
#include "CLinuxMemory.h"

#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int let_go(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  uintptr_t page = *(uintptr_t *)data;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    // What may have been written to would be lost.
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
    uintptr_t start = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
    uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_filesz + page - 1) & ~(page - 1);
    // A refusal, as for what is locked in memory, changes nothing.
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void clinux_let_go_of_code(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(let_go, &page);
}

void clinux_trim_heap(void) { malloc_trim(0); }
