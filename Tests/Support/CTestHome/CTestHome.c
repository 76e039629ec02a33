#include "CTestHome.h"

#include <stdlib.h>

// espeak-ng looks for a sound server even where it is to play nothing, and PulseAudio's library makes
// a folder in the person's home for that. Tests that use the voice in their own process would leave
// it there. A folder that can't be made has it give up at once.
//
// Before there are threads: the environment can't be changed safely later.
__attribute__((constructor)) static void keydrag_stay_out_of_the_home(void) {
  setenv("PULSE_RUNTIME_PATH", "/dev/null/pulse", 1);
}
