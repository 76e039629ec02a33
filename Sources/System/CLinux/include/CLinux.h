#ifndef CLINUX_H
#define CLINUX_H
// System calls that Swift's Glibc module leaves out because it is built without _GNU_SOURCE. The
// macro is defined in the .c files alone: in a header it would give system structures other fields
// here than in the modules that Swift imports beside this one.
#include "CLinuxCopy.h"
#include "CLinuxMemory.h"
#include "CLinuxProcess.h"
#include "CLinuxSocket.h"
#include "CLinuxThreads.h"

#endif
