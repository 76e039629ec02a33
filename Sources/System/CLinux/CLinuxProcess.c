#define _GNU_SOURCE
#include "CLinuxProcess.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

int clinux_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int clinux_spawn_closing_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int clinux_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }
