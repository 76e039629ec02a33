#include <stdarg.h>
#include <xkbcommon/xkbcommon-x11.h>
#include <xkbcommon/xkbcommon.h>

/* What the library finds wrong with a keyboard is not written to the terminal. */
static inline void keydrag_xkb_silence(
    struct xkb_context *context, enum xkb_log_level level, const char *format, va_list values) {}

/* A context that reads nothing of this computer by itself, and says nothing. */
static inline struct xkb_context *keydrag_xkb_context(enum xkb_context_flags flags) {
  struct xkb_context *context = xkb_context_new(flags);
  if (context) xkb_context_set_log_fn(context, keydrag_xkb_silence);
  return context;
}
