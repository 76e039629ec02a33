// GLib's D-Bus client, declared function by function instead of including its headers: the headers'
// flags name "-pthread", which the package manager warns about, and their types (unions, macros,
// variadic constructors) come through as much more than is needed. Objects are opaque. The
// declarations follow the documented and stable interface of GLib 2.58 and later.
#ifndef KEYDRAG_CGDBUS_H
#define KEYDRAG_CGDBUS_H

#include <stddef.h>
#include <stdint.h>

// A connection to a bus (GDBusConnection).
typedef struct KDBusConnection KDBusConnection;
// One message (GDBusMessage).
typedef struct KDBusMessage KDBusMessage;
// A value (GVariant).
typedef struct KDBusVariant KDBusVariant;
// What a thread waits for and runs (GMainContext), and one such thing (GSource).
typedef struct KDBusContext KDBusContext;
typedef struct KDBusSource KDBusSource;
// What can be waited for and given up (GAsyncResult, GCancellable).
typedef struct KDBusResult KDBusResult;
typedef struct KDBusCancellable KDBusCancellable;
// An error (GError), of which only the kind is looked at.
typedef struct KDBusError KDBusError;

typedef void (*KDBusReady)(void *object, KDBusResult *result, void *data);
typedef void (*KDBusFree)(void *data);
typedef int (*KDBusTimeout)(void *data);
typedef KDBusMessage *(*KDBusFilter)(
    KDBusConnection *connection, KDBusMessage *message, int incoming, void *data);
typedef void (*KDBusSignal)(
    KDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *name, KDBusVariant *arguments, void *data);

// A context of a thread's own; asynchronous calls made on that thread answer there.
KDBusContext *g_main_context_new(void);
void g_main_context_push_thread_default(KDBusContext *context);
void g_main_context_pop_thread_default(KDBusContext *context);
// Runs what is due; waits for something where it may block.
int g_main_context_iteration(KDBusContext *context, int may_block);
// Makes a waiting iteration return, from any thread.
void g_main_context_wakeup(KDBusContext *context);
void g_main_context_unref(KDBusContext *context);

// An alarm: after so many milliseconds, again and again until its function returns 0.
KDBusSource *g_timeout_source_new(unsigned int milliseconds);
void g_source_set_callback(
    KDBusSource *source, KDBusTimeout function, void *data, KDBusFree free_data);
// Something that waits for a file: 1 for what can be read.
KDBusSource *g_unix_fd_source_new(int file, int condition);
unsigned int g_source_attach(KDBusSource *source, KDBusContext *context);
// Takes it from its context, from any thread.
void g_source_destroy(KDBusSource *source);
void g_source_unref(KDBusSource *source);

// The function of such a source takes arguments of its own, which g_source_set_callback hides behind
// a cast that Swift can't make.
typedef int (*KDBusFileReady)(int file, int condition, void *data);
static inline void keydrag_bus_on_ready(
    KDBusSource *source, KDBusFileReady function, void *data, KDBusFree free_data) {
  g_source_set_callback(source, (KDBusTimeout)(void (*)(void))function, data, free_data);
}

// Gives up what was begun with it.
KDBusCancellable *g_cancellable_new(void);
void g_cancellable_cancel(KDBusCancellable *cancellable);

// Connects, authenticates and, with flag 8, says hello to the bus.
void g_dbus_connection_new_for_address(
    const char *address, unsigned int flags, void *observer, KDBusCancellable *cancellable,
    KDBusReady ready, void *data);
KDBusConnection *g_dbus_connection_new_for_address_finish(KDBusResult *result, KDBusError **error);
// Our own name on the bus; belongs to the connection.
const char *g_dbus_connection_get_unique_name(KDBusConnection *connection);
void g_dbus_connection_close(
    KDBusConnection *connection, KDBusCancellable *cancellable, KDBusReady ready, void *data);
// The socket of a connection to a place on this computer. All three belong to the connection.
typedef struct KDBusStream KDBusStream;
typedef struct KDBusSocket KDBusSocket;
KDBusStream *g_dbus_connection_get_stream(KDBusConnection *connection);
KDBusSocket *g_socket_connection_get_socket(KDBusStream *stream);
int g_socket_get_fd(KDBusSocket *socket);
// Whether it was closed, from here or from the other end; true before what waits for answers fails.
int g_dbus_connection_is_closed(KDBusConnection *connection);
// Waits until everything that was sent has been written.
int g_dbus_connection_flush_sync(
    KDBusConnection *connection, KDBusCancellable *cancellable, KDBusError **error);

// Calls a method; a floating value for the arguments is taken over. -1 waits for 25 seconds.
void g_dbus_connection_call(
    KDBusConnection *connection, const char *destination, const char *path, const char *interface,
    const char *method, KDBusVariant *arguments, const char *reply_type, unsigned int flags,
    int milliseconds, KDBusCancellable *cancellable, KDBusReady ready, void *data);
KDBusVariant *g_dbus_connection_call_finish(
    KDBusConnection *connection, KDBusResult *result, KDBusError **error);

// Hears signals; any of the names may be NULL.
unsigned int g_dbus_connection_signal_subscribe(
    KDBusConnection *connection, const char *sender, const char *interface, const char *member,
    const char *path, const char *first_argument, unsigned int flags, KDBusSignal function,
    void *data, KDBusFree free_data);
// Sends a signal; 0 when the connection is closed.
int g_dbus_connection_emit_signal(
    KDBusConnection *connection, const char *destination, const char *path, const char *interface,
    const char *name, KDBusVariant *arguments, KDBusError **error);

// Sees every message on the library's own thread; one that is not given back goes no further.
unsigned int g_dbus_connection_add_filter(
    KDBusConnection *connection, KDBusFilter function, void *data, KDBusFree free_data);
int g_dbus_connection_send_message(
    KDBusConnection *connection, KDBusMessage *message, unsigned int flags, unsigned int *serial,
    KDBusError **error);

// 1 for a call, 4 for a signal. The names belong to the message.
int g_dbus_message_get_message_type(KDBusMessage *message);
const char *g_dbus_message_get_sender(KDBusMessage *message);
const char *g_dbus_message_get_path(KDBusMessage *message);
const char *g_dbus_message_get_interface(KDBusMessage *message);
const char *g_dbus_message_get_member(KDBusMessage *message);
// Flag 1: no answer is wanted.
unsigned int g_dbus_message_get_flags(KDBusMessage *message);
KDBusVariant *g_dbus_message_get_body(KDBusMessage *message);
KDBusMessage *g_dbus_message_new_method_reply(KDBusMessage *call);
KDBusMessage *g_dbus_message_new_method_error_literal(
    KDBusMessage *call, const char *name, const char *text);
void g_dbus_message_set_body(KDBusMessage *message, KDBusVariant *body);

// Values; those that are made are floating, and belong to what they are put into.
KDBusVariant *g_variant_new_boolean(int value);
KDBusVariant *g_variant_new_int32(int32_t value);
KDBusVariant *g_variant_new_uint32(uint32_t value);
KDBusVariant *g_variant_new_double(double value);
KDBusVariant *g_variant_new_string(const char *value);
KDBusVariant *g_variant_new_object_path(const char *value);
KDBusVariant *g_variant_new_variant(KDBusVariant *value);
KDBusVariant *g_variant_new_array(
    const char *element_type, KDBusVariant *const *elements, size_t count);
KDBusVariant *g_variant_new_tuple(KDBusVariant *const *elements, size_t count);
KDBusVariant *g_variant_new_dict_entry(KDBusVariant *key, KDBusVariant *value);
const char *g_variant_get_type_string(KDBusVariant *value);
int g_variant_get_boolean(KDBusVariant *value);
int32_t g_variant_get_int32(KDBusVariant *value);
uint32_t g_variant_get_uint32(KDBusVariant *value);
double g_variant_get_double(KDBusVariant *value);
const char *g_variant_get_string(KDBusVariant *value, size_t *length);
size_t g_variant_n_children(KDBusVariant *value);
KDBusVariant *g_variant_get_child_value(KDBusVariant *value, size_t index);
void g_variant_unref(KDBusVariant *value);

// Hears of something that happened to an object, here only "closed".
unsigned long g_signal_connect_data(
    void *object, const char *signal, void (*function)(void), void *data,
    void (*free_data)(void *data, void *closure), int flags);
void g_object_unref(void *object);
void g_error_free(KDBusError *error);
// Whether an error is a reply that came over the bus, and not a reply that did not come.
int g_dbus_error_is_remote_error(const KDBusError *error);

// A signal handler takes arguments of its own, which g_signal_connect_data hides behind a cast that
// Swift can't make.
typedef void (*KDBusClosed)(KDBusConnection *connection, int remote, KDBusError *error, void *data);
static inline void keydrag_bus_on_closed(
    KDBusConnection *connection, KDBusClosed function, void *data,
    void (*free_data)(void *data, void *closure)) {
  g_signal_connect_data(connection, "closed", (void (*)(void))function, data, free_data, 0);
}

#endif
