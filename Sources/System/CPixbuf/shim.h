// The incremental loader of gdk-pixbuf.
#include <gdk-pixbuf/gdk-pixbuf.h>

// Connects a handler of "size-prepared": a function of four arguments can't be given as one of none
// from Swift.
static inline void keydrag_on_size(
    GdkPixbufLoader *loader, void (*handler)(GdkPixbufLoader *, int, int, void *), void *data) {
  g_signal_connect(loader, "size-prepared", G_CALLBACK(handler), data);
}
