#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H
// Calls by which a program that waits gives memory back.

/// Lets go of the code and constants of this program and of its libraries: the system keeps them while
/// it has room, and brings each page back when it is used. dl_iterate_phdr(3) is declared for
/// _GNU_SOURCE only, and its entries are macros of types that Swift can't see.
void clinux_let_go_of_code(void);
/// malloc_trim(3): gives the free pages of the heap back. <malloc.h> is no part of Swift's Glibc module.
void clinux_trim_heap(void);

#endif
