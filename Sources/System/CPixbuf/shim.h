// The incremental loader of gdk-pixbuf, declared function by function instead of including its
// headers: their flags name "-pthread", which the package manager warns about. Objects are opaque. The
// declarations follow the documented and stable interface of gdk-pixbuf 2.40 and later.
#ifndef KEYDRAG_CPIXBUF_H
#define KEYDRAG_CPIXBUF_H

#include <stdint.h>

// What decodes (GdkPixbufLoader), what it has decoded (GdkPixbuf), a format (GdkPixbufFormat) and an
// error (GError).
typedef struct KDLoader KDLoader;
typedef struct KDPixbuf KDPixbuf;
typedef struct KDFormat KDFormat;
typedef struct KDPixbufError KDPixbufError;

KDLoader *gdk_pixbuf_loader_new(void);
// 0 for an error.
int gdk_pixbuf_loader_write(
    KDLoader *loader, const unsigned char *bytes, uintptr_t count, KDPixbufError **error);
int gdk_pixbuf_loader_close(KDLoader *loader, KDPixbufError **error);
// Called while the size is prepared: what is decoded is scaled to this.
void gdk_pixbuf_loader_set_size(KDLoader *loader, int width, int height);
// Both belong to the loader; null where nothing is known yet.
KDPixbuf *gdk_pixbuf_loader_get_pixbuf(KDLoader *loader);
KDFormat *gdk_pixbuf_loader_get_format(KDLoader *loader);
// A null-terminated list, to be freed with g_strfreev.
char **gdk_pixbuf_format_get_mime_types(KDFormat *format);
void g_strfreev(char **list);
// The handler is given the loader, the width, the height and the data.
unsigned long g_signal_connect_data(
    void *instance, const char *signal, void (*handler)(void), void *data, void *destroy, int flags);
void g_object_unref(void *object);
void g_clear_error(KDPixbufError **error);

// Connects a handler of "size-prepared": a function of four arguments can't be given as one of none
// from Swift.
static inline void keydrag_on_size(
    KDLoader *loader, void (*handler)(KDLoader *, int, int, void *), void *data) {
  g_signal_connect_data(loader, "size-prepared", (void (*)(void))handler, data, 0, 0);
}

#endif
