// The functions of GIO, GObject and GLib that are used, declared here instead of including their
// headers: the headers' flags name "-pthread", which the package manager warns about, and their
// types (unions, macros, variadic constructors) come through as much more than is needed. Objects
// are opaque. The declarations follow the documented and stable interface of GLib 2.58 and later.
#ifndef KEYDRAG_CGIO_H
#define KEYDRAG_CGIO_H

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

// An object that conforms to the GAppInfo interface; GDesktopAppInfo is the only kind on Linux.
typedef struct KDAppInfo KDAppInfo;
// A doubly linked list (GList).
typedef struct KDList KDList;
// An error with a message (GError), which is only ever freed here.
typedef struct KDError KDError;

// Guesses a MIME type from a name and, where given, the first bytes; the caller frees it.
char *g_content_type_guess(
    const char *filename, const unsigned char *data, size_t data_size, int *result_uncertain);
// Whether a type is another one or conforms to it.
int g_content_type_is_a(const char *type, const char *supertype);
// The type that a name stands for, where it is another name of one; the caller frees it.
char *g_content_type_from_mime_type(const char *mime_type);

// The program that mimeapps.list and the .desktop files name for a type; the caller unrefs it.
KDAppInfo *g_app_info_get_default_for_type(const char *content_type, int must_support_uris);
// The .desktop file's name, or NULL when it has none; belongs to the object.
const char *g_app_info_get_id(KDAppInfo *appinfo);
// The program's name in the language of the environment; belongs to the object.
const char *g_app_info_get_display_name(KDAppInfo *appinfo);
// The Exec line as it stands in the file, or NULL; belongs to the object.
const char *g_app_info_get_commandline(KDAppInfo *appinfo);
// The program of a .desktop file by its name, or NULL; the caller unrefs it.
KDAppInfo *g_desktop_app_info_new(const char *desktop_id);
// A key of the .desktop file that is true or false, such as Terminal.
int g_desktop_app_info_get_boolean(KDAppInfo *info, const char *key);
// Starts a program with files given as URIs; the descriptors become its standard streams.
int g_desktop_app_info_launch_uris_as_manager_with_fds(
    KDAppInfo *appinfo, KDList *uris, void *launch_context, unsigned int spawn_flags,
    void (*user_setup)(void *), void *user_setup_data,
    void (*pid_callback)(KDAppInfo *, int, void *), void *pid_callback_data,
    int stdin_fd, int stdout_fd, int stderr_fd, KDError **error);

// A file: URI of an absolute path in its own bytes, or NULL; the caller frees it.
char *g_filename_to_uri(const char *filename, const char *hostname, KDError **error);
// A list that begins with one element more.
KDList *g_list_prepend(KDList *list, void *data);
// Frees a list, but not what it holds.
void g_list_free(KDList *list);
// Frees what GLib allocated; NULL is fine.
void g_free(void *memory);
// Frees an error.
void g_error_free(KDError *error);
// Lets go of an object.
void g_object_unref(void *object);

// Runs in the child between fork and exec, where only async-signal-safe functions may be called,
// which no Swift closure promises to keep to.
static inline void keydrag_leave_terminal(void *unused) {
  (void)unused;
  setsid();
  // What we ignore or block is no business of the program's.
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

#endif
