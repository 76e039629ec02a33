#include "CALSA.h"

#include "CLateLibrary.h"
#include <errno.h>
#include <stddef.h>

static late_library alsa = {.file = "libasound.so.2"};

static void ignore(
    const char *file, int line, const char *function, int code, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)code, (void)format;
}

int keydrag_alsa_be_quiet(void) {
  __typeof__(&snd_lib_error_set_handler) call =
      (__typeof__(&snd_lib_error_set_handler))late_function(&alsa, "snd_lib_error_set_handler");
  return call ? call(ignore) : -ENOENT;
}

LATE_FUNCTION(alsa, int, snd_pcm_open,
    (snd_pcm_t **device, const char *name, snd_pcm_stream_t stream, int mode),
    (device, name, stream, mode), -ELIBACC)

LATE_FUNCTION(alsa, int, snd_pcm_close, (snd_pcm_t *device), (device), -ENOENT)

LATE_FUNCTION(alsa, int, snd_pcm_set_params,
    (snd_pcm_t *device, snd_pcm_format_t format, snd_pcm_access_t access, unsigned int channels,
        unsigned int rate, int resamples, unsigned int latency),
    (device, format, access, channels, rate, resamples, latency), -ENOENT)

LATE_FUNCTION(alsa, int, snd_pcm_get_params,
    (snd_pcm_t *device, snd_pcm_uframes_t *buffer, snd_pcm_uframes_t *period),
    (device, buffer, period), -ENOENT)

LATE_FUNCTION(alsa, int, snd_pcm_prepare, (snd_pcm_t *device), (device), -ENOENT)

LATE_FUNCTION(alsa, int, snd_pcm_start, (snd_pcm_t *device), (device), -ENOENT)

LATE_FUNCTION(alsa, int, snd_pcm_drop, (snd_pcm_t *device), (device), -ENOENT)

LATE_FUNCTION(alsa, snd_pcm_state_t, snd_pcm_state, (snd_pcm_t *device), (device),
    SND_PCM_STATE_DISCONNECTED)

LATE_FUNCTION(alsa, int, snd_pcm_delay, (snd_pcm_t *device, snd_pcm_sframes_t *frames),
    (device, frames), -ENOENT)

LATE_FUNCTION(alsa, snd_pcm_sframes_t, snd_pcm_writei,
    (snd_pcm_t *device, const void *samples, snd_pcm_uframes_t count), (device, samples, count),
    -ENOENT)

LATE_FUNCTION(alsa, int, snd_pcm_recover, (snd_pcm_t *device, int code, int silently),
    (device, code, silently), -ENOENT)

LATE_FUNCTION(alsa, int, snd_pcm_poll_descriptors_count, (snd_pcm_t *device), (device), -ENOENT)

LATE_FUNCTION(alsa, int, snd_pcm_poll_descriptors,
    (snd_pcm_t *device, struct pollfd *entries, unsigned int count), (device, entries, count),
    -ENOENT)

LATE_FUNCTION(alsa, int, snd_pcm_poll_descriptors_revents,
    (snd_pcm_t *device, struct pollfd *entries, unsigned int count, unsigned short *events),
    (device, entries, count, events), -ENOENT)
