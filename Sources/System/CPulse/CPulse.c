#include "CPulse.h"

#include "CLateLibrary.h"

static late_library pulse = {.file = "libpulse-simple.so.0"};

LATE_FUNCTION(pulse, pa_simple *, pa_simple_new,
    (const char *server, const char *program, pa_stream_direction_t direction, const char *device,
        const char *stream, const pa_sample_spec *samples, const pa_channel_map *channels,
        const pa_buffer_attr *buffer, int *error),
    (server, program, direction, device, stream, samples, channels, buffer, error), NULL)

LATE_FUNCTION(pulse, int, pa_simple_write,
    (pa_simple *stream, const void *bytes, size_t count, int *error),
    (stream, bytes, count, error), -1)

LATE_FUNCTION(pulse, int, pa_simple_flush, (pa_simple *stream, int *error), (stream, error), -1)

LATE_FUNCTION(pulse, pa_usec_t, pa_simple_get_latency, (pa_simple *stream, int *error),
    (stream, error), 0)

__attribute__((visibility("hidden"))) void pa_simple_free(pa_simple *stream) {
  __typeof__(&pa_simple_free) call =
      (__typeof__(&pa_simple_free))late_function(&pulse, "pa_simple_free");
  if (call) call(stream);
}
