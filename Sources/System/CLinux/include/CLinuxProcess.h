#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H
// Calls for programs that are started and for children. They answer like the calls they stand for.
#include <spawn.h>

/// memfd_create(2) is declared for _GNU_SOURCE only: a file without a place on any disk, closed in
/// programs that are started.
int clinux_memory_file(const char *name);
/// posix_spawn_file_actions_addclosefrom_np(3) is declared for _DEFAULT_SOURCE only.
int clinux_spawn_closing_from(posix_spawn_file_actions_t *actions, int first);
/// prctl(2) with PR_SET_PDEATHSIG: this process is killed when its parent ends. It takes variable arguments,
/// which Swift can't call.
int clinux_end_with_parent(void);

#endif
