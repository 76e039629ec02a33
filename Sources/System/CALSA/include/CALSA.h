#ifndef KEYDRAG_CALSA_H
#define KEYDRAG_CALSA_H

// The library's own declarations. It is loaded with the first call, not with the program: who has a
// screen reader needs no sound of ours. Without the library a device can't be opened.
#include <alsa/asoundlib.h>

/// Lets ALSA say nothing on standard error, which is the person's screen.
///
/// The function that replaces its printing has variable arguments, and Swift can neither write nor
/// import such a function type.
int keydrag_alsa_be_quiet(void);

#endif
