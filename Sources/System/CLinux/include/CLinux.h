#ifndef CLINUX_H
#define CLINUX_H
// System calls that Swift's Glibc module leaves out because it is built without _GNU_SOURCE.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "CLinuxCopy.h"

#endif
