#include <stdlib.h>
#include <sys/uio.h>
#include <xcb/xcb.h>
#include <xcb/randr.h>
#include <xcb/shape.h>
#include <xcb/xcbext.h>
#include <xcb/xfixes.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>

/* The requests and events of XInput 2 are those of xcb/xinput.h. Three requests are sent from here, and
   not by its library, which is 124 kB of memory in a program that waits all day. */

static xcb_extension_t keydrag_xinput = {"XInputExtension", 0};

static inline unsigned int keydrag_send_xinput(
    xcb_connection_t *connection, uint8_t number, uint8_t has_reply, void *bytes, size_t count) {
  xcb_protocol_request_t request = {1, &keydrag_xinput, number, !has_reply};
  /* The library writes into the two before the first. */
  struct iovec parts[3] = {{0}};
  parts[2].iov_base = bytes;
  parts[2].iov_len = count;
  return xcb_send_request(connection, has_reply ? XCB_REQUEST_CHECKED : 0, parts + 2, &request);
}

/* The number of the extension's requests and events; 0 where the server lacks it or has version 1,
   or 2.0, which tells of no key while another client has grabbed the keyboard. */
static inline uint8_t keydrag_xinput_number(xcb_connection_t *connection) {
  const xcb_query_extension_reply_t *known = xcb_get_extension_data(connection, &keydrag_xinput);
  if (known == NULL || !known->present) return 0;
  xcb_input_xi_query_version_request_t query = {.major_version = 2, .minor_version = 2};
  xcb_input_xi_query_version_reply_t *reply = xcb_wait_for_reply(
      connection,
      keydrag_send_xinput(connection, XCB_INPUT_XI_QUERY_VERSION, 1, &query, sizeof query), NULL);
  int is_enough = reply != NULL
      && (reply->major_version > 2 || (reply->major_version == 2 && reply->minor_version > 0));
  free(reply);
  return is_enough ? known->major_opcode : 0;
}

static inline void keydrag_watch_raw_keys(
    xcb_connection_t *connection, xcb_window_t root, uint8_t is_on) {
  struct {
    xcb_input_xi_select_events_request_t request;
    xcb_input_event_mask_t masks;
    uint32_t mask;
  } selection = {
      {.window = root, .num_mask = 1},
      {.deviceid = XCB_INPUT_DEVICE_ALL_MASTER, .mask_len = 1},
      is_on ? XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE : 0};
  keydrag_send_xinput(
      connection, XCB_INPUT_XI_SELECT_EVENTS, 0, &selection, sizeof selection);
}

/* The layout that is on, to be brought into the range of those that there are; 0 where the server does
   not say. Events leave it out for a program that has not asked for XKB. Only after
   keydrag_xinput_number. */
static inline int keydrag_layout(xcb_connection_t *connection, xcb_window_t root) {
  /* The first pointer of every server, which the keyboard goes with. */
  xcb_input_xi_query_pointer_request_t query = {.window = root, .deviceid = 2};
  xcb_input_xi_query_pointer_reply_t *reply = xcb_wait_for_reply(
      connection,
      keydrag_send_xinput(connection, XCB_INPUT_XI_QUERY_POINTER, 1, &query, sizeof query), NULL);
  /* Servers leave the sum out ("effective"). */
  int layout = reply ? (int8_t)reply->group.base + (int8_t)reply->group.latched
          + (int8_t)reply->group.locked
                     : 0;
  free(reply);
  return layout;
}
