// Part of the C library, but not of its Swift module.
#include <libintl.h>
#include <locale.h>
