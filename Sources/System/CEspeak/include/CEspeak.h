#ifndef KEYDRAG_CESPEAK_H
#define KEYDRAG_CESPEAK_H

// The library's own declarations. It is loaded with the first call, not with the program: where a
// screen reader speaks, neither it nor the twenty libraries behind it are there. Without the library
// a call answers as the library does when it has failed.
#include <espeak-ng/espeak_ng.h>
#include <espeak-ng/speak_lib.h>

#endif
