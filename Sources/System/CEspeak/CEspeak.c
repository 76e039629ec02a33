#include "CEspeak.h"

#include "CLateLibrary.h"
#include <stddef.h>

static late_library espeak = {.file = "libespeak-ng.so.1"};

__attribute__((visibility("hidden"))) void espeak_ng_InitializePath(const char *folder) {
  __typeof__(&espeak_ng_InitializePath) call =
      (__typeof__(&espeak_ng_InitializePath))late_function(&espeak, "espeak_ng_InitializePath");
  if (call) call(folder);
}

LATE_FUNCTION(espeak, int, espeak_Initialize,
    (espeak_AUDIO_OUTPUT output, int length, const char *path, int options),
    (output, length, path, options), EE_INTERNAL_ERROR)

__attribute__((visibility("hidden"))) void espeak_SetSynthCallback(t_espeak_callback *callback) {
  __typeof__(&espeak_SetSynthCallback) call =
      (__typeof__(&espeak_SetSynthCallback))late_function(&espeak, "espeak_SetSynthCallback");
  if (call) call(callback);
}

LATE_FUNCTION(espeak, espeak_ERROR, espeak_Synth,
    (const void *text, size_t size, unsigned int position, espeak_POSITION_TYPE type,
        unsigned int end, unsigned int flags, unsigned int *identifier, void *context),
    (text, size, position, type, end, flags, identifier, context), EE_INTERNAL_ERROR)

LATE_FUNCTION(espeak, espeak_ERROR, espeak_SetParameter,
    (espeak_PARAMETER parameter, int value, int relative), (parameter, value, relative),
    EE_INTERNAL_ERROR)

LATE_FUNCTION(espeak, const char *, espeak_TextToPhonemes,
    (const void **text, int mode, int phonemes), (text, mode, phonemes), NULL)

LATE_FUNCTION(espeak, espeak_ERROR, espeak_SetVoiceByName, (const char *name), (name),
    EE_INTERNAL_ERROR)

LATE_FUNCTION(espeak, espeak_VOICE *, espeak_GetCurrentVoice, (void), (), NULL)

LATE_FUNCTION(espeak, const char *, espeak_Info, (const char **folder), (folder), NULL)
