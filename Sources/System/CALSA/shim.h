#include <alsa/asoundlib.h>

// ALSA prints what goes wrong on standard error, which is the person's screen. The function that
// replaces its printing has variable arguments, and Swift can neither write nor import such a
// function type; so both halves are here.
static void keydrag_alsa_ignore(
    const char *file, int line, const char *function, int code, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)code, (void)format;
}

static inline int keydrag_alsa_be_quiet(void) {
  return snd_lib_error_set_handler(keydrag_alsa_ignore);
}
