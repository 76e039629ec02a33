// Pango on cairo, and cairo on a connection to a display. The direction of a paragraph that is not laid
// out yet (pango_find_base_dir) is an old function, for which Pango has no other.
#define PANGO_DISABLE_DEPRECATION_WARNINGS
#include <cairo/cairo-xcb.h>
#include <pango/pangocairo.h>
