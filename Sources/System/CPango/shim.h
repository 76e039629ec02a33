// Pango and cairo, declared function by function instead of including their headers: the flags of
// their headers name "-pthread", which the package manager warns about, and bring a dozen folders of
// other libraries. Objects are opaque. The declarations follow the documented and stable interfaces
// of Pango 1.44 and cairo 1.14 and later.
#ifndef KEYDRAG_CPANGO_H
#define KEYDRAG_CPANGO_H

#include <stdint.h>

// Something to draw on (cairo_surface_t), what draws (cairo_t), and a connection to a display that
// cairo remembers (cairo_device_t).
typedef struct KDSurface KDSurface;
typedef struct KDCairo KDCairo;
typedef struct KDDevice KDDevice;
// A text with its lines (PangoLayout), what it is laid out for (PangoContext), a font by its name.
typedef struct KDLayout KDLayout;
typedef struct KDTextContext KDTextContext;
typedef struct KDFont KDFont;

// The connection is an xcb_connection_t and the visual an xcb_visualtype_t of it, which another
// module declares.
KDSurface *cairo_xcb_surface_create(
    void *connection, uint32_t drawable, void *visual, int width, int height);
// In memory; format 0 is a pixel of 32 bits with alpha.
KDSurface *cairo_image_surface_create(int format, int width, int height);
// 0 for none.
int cairo_surface_status(KDSurface *surface);
void cairo_surface_flush(KDSurface *surface);
void cairo_surface_destroy(KDSurface *surface);
// Belongs to the surface unless it is referenced.
KDDevice *cairo_surface_get_device(KDSurface *surface);
KDDevice *cairo_device_reference(KDDevice *device);
// Has cairo forget a connection, which has to be before it is closed.
void cairo_device_finish(KDDevice *device);
void cairo_device_destroy(KDDevice *device);

KDCairo *cairo_create(KDSurface *surface);
void cairo_destroy(KDCairo *cairo);
void cairo_set_source_rgb(KDCairo *cairo, double red, double green, double blue);
void cairo_paint(KDCairo *cairo);
void cairo_translate(KDCairo *cairo, double x, double y);
void cairo_rectangle(KDCairo *cairo, double x, double y, double width, double height);
void cairo_move_to(KDCairo *cairo, double x, double y);
void cairo_line_to(KDCairo *cairo, double x, double y);
void cairo_arc(KDCairo *cairo, double x, double y, double radius, double from, double to);
void cairo_new_path(KDCairo *cairo);
void cairo_set_line_width(KDCairo *cairo, double width);
// 1 for round ends.
void cairo_set_line_cap(KDCairo *cairo, int cap);
// 1 for round corners.
void cairo_set_line_join(KDCairo *cairo, int join);
void cairo_set_dash(KDCairo *cairo, const double *dashes, int count, double offset);
void cairo_stroke(KDCairo *cairo);
void cairo_fill(KDCairo *cairo);

KDLayout *pango_cairo_create_layout(KDCairo *cairo);
void pango_cairo_show_layout(KDCairo *cairo, KDLayout *layout);
// Belongs to the layout.
KDTextContext *pango_layout_get_context(KDLayout *layout);
// Pixels per inch.
void pango_cairo_context_set_resolution(KDTextContext *context, double resolution);
void pango_layout_context_changed(KDLayout *layout);
void pango_layout_set_text(KDLayout *layout, const char *text, int length);
void pango_layout_set_font_description(KDLayout *layout, const KDFont *font);
// In units of 1/1024 pixel; -1 for none.
void pango_layout_set_width(KDLayout *layout, int width);
// A negative number is how many lines each paragraph may have.
void pango_layout_set_height(KDLayout *layout, int height);
// 2 breaks between words, and within them where there is no other way.
void pango_layout_set_wrap(KDLayout *layout, int wrap);
// 3 cuts at the end.
void pango_layout_set_ellipsize(KDLayout *layout, int mode);
void pango_layout_set_spacing(KDLayout *layout, int spacing);
// A negative number indents all lines of a paragraph but the first.
void pango_layout_set_indent(KDLayout *layout, int indent);
void pango_layout_get_pixel_size(KDLayout *layout, int *width, int *height);
int pango_layout_is_ellipsized(KDLayout *layout);
// How many characters no font has.
int pango_layout_get_unknown_glyphs_count(KDLayout *layout);
// 1 for right to left, 0 for left to right, other numbers for none.
int pango_find_base_dir(const char *text, int length);
KDFont *pango_font_description_from_string(const char *name);
void pango_font_description_free(KDFont *font);
void g_object_unref(void *object);

#endif
