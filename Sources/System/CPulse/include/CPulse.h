#ifndef KEYDRAG_CPULSE_H
#define KEYDRAG_CPULSE_H

#include <stddef.h>
#include <stdint.h>

// The simple interface of PulseAudio's library, which PipeWire's server understands as well, as far as
// it is needed here. Declared and not included: its headers would be one more package to build with,
// and the interface has been the same since 2006. It is loaded with the first call.

typedef struct pa_simple pa_simple;

typedef struct {
  /// 3 is 16 bits, the low byte first.
  int32_t format;
  uint32_t rate;
  uint8_t channels;
} pa_sample_spec;

/// In bytes; UINT32_MAX leaves a value to the server.
typedef struct {
  uint32_t maxlength, tlength, prebuf, minreq, fragsize;
} pa_buffer_attr;

/// - Parameter direction: 1 plays.
/// - Returns: NULL without the library, or where the server can't be reached.
pa_simple *pa_simple_new(const char *server, const char *program, int direction, const char *device,
    const char *stream, const pa_sample_spec *samples, const void *channels,
    const pa_buffer_attr *buffer, int *error);

void pa_simple_free(pa_simple *stream);

/// Waits until the server has taken all of it; less than 0 where it fails.
int pa_simple_write(pa_simple *stream, const void *bytes, size_t count, int *error);

/// Forgets what has not been heard yet.
int pa_simple_flush(pa_simple *stream, int *error);

/// Microseconds until what is written now is heard.
uint64_t pa_simple_get_latency(pa_simple *stream, int *error);

#endif
