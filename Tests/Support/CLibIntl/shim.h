// Parts of the C library that its Swift module leaves out.
#include <gnu/libc-version.h>
#include <libintl.h>
#include <locale.h>
