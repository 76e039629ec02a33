#ifndef KEYDRAG_CPULSE_H
#define KEYDRAG_CPULSE_H

// The simple interface of PulseAudio's library, which PipeWire's server understands as well. It is
// loaded with the first call; without it no server can be reached.
#include <pulse/simple.h>

#endif
