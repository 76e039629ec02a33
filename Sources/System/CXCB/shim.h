#include <stdlib.h>
#include <xcb/xcb.h>
#include <xcb/randr.h>
#include <xcb/shape.h>
#include <xcb/xfixes.h>
#include <xcb/xtest.h>
#include <sys/uio.h>
#include <xcb/xcbext.h>

/* XInput 2 as far as raw keys need it (XI2proto.h). xcb/xinput.h comes in a package of its own, and
   two requests and two events of it are used. */

static xcb_extension_t keydrag_xinput = {"XInputExtension", 0};

/* The number of the extension's requests and events; 0 where the server lacks it or has version 1,
   or 2.0, which tells of no key while another client has grabbed the keyboard. */
static inline uint8_t keydrag_xinput_number(xcb_connection_t *connection) {
  const xcb_query_extension_reply_t *known = xcb_get_extension_data(connection, &keydrag_xinput);
  if (known == NULL || !known->present) return 0;
  struct {
    uint8_t number, request;
    uint16_t length, major, minor;
  } query = {0, 0, 0, 2, 2};
  xcb_protocol_request_t request = {1, &keydrag_xinput, 47 /* XIQueryVersion */, 0};
  struct iovec parts[3] = {{0}};
  parts[2].iov_base = &query;
  parts[2].iov_len = sizeof query;
  unsigned int sequence = xcb_send_request(connection, XCB_REQUEST_CHECKED, parts + 2, &request);
  const uint8_t *reply = xcb_wait_for_reply(connection, sequence, NULL);
  uint16_t version[2] = {0, 0};
  if (reply != NULL) __builtin_memcpy(version, reply + 8, sizeof version);
  free((void *)reply);
  return version[0] > 2 || (version[0] == 2 && version[1] > 0) ? known->major_opcode : 0;
}

static inline void keydrag_watch_raw_keys(
    xcb_connection_t *connection, xcb_window_t root, uint8_t is_on) {
  enum { allMasters = 1, rawPress = 1 << 13, rawRelease = 1 << 14 };
  struct {
    uint8_t number, request;
    uint16_t length;
    uint32_t window;
    uint16_t count, padding, device, words;
    uint32_t mask;
  } selection = {0, 0, 0, root, 1, 0, allMasters, 1, is_on ? rawPress | rawRelease : 0};
  xcb_protocol_request_t request = {1, &keydrag_xinput, 46 /* XISelectEvents */, 1};
  struct iovec parts[3] = {{0}};
  parts[2].iov_base = &selection;
  parts[2].iov_len = sizeof selection;
  xcb_send_request(connection, 0, parts + 2, &request);
}

typedef struct {
  uint8_t code, is_press;
  uint32_t time;
} keydrag_raw_key_t;

/* The key of a raw press or release (xXIRawEvent); its code is 0 for any other event. */
static inline keydrag_raw_key_t keydrag_raw_key(
    const xcb_generic_event_t *event, uint8_t number) {
  const uint8_t *bytes = (const uint8_t *)event;
  keydrag_raw_key_t key = {0, 0, 0};
  uint16_t kind;
  uint32_t code;
  __builtin_memcpy(&kind, bytes + 8, sizeof kind);
  if (number == 0 || bytes[1] != number || (kind != 13 && kind != 14)) return key;
  __builtin_memcpy(&key.time, bytes + 12, sizeof key.time);
  __builtin_memcpy(&code, bytes + 16, sizeof code);
  key.code = code < 256 ? (uint8_t)code : 0;
  key.is_press = kind == 13;
  return key;
}
