#define _GNU_SOURCE
#include "CLinuxThreads.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

typedef int maker(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static _Atomic(void (*)(void)) at_end;
// When the first of several failures in a row was, and the last; 0 after each success.
static _Atomic int64_t first_failure, last_failure;

// Failures with more between them are not of one wait, in milliseconds.
enum { LONGEST_PAUSE = 2500, PATIENCE = 2000 };

void clinux_end_without_threads(void (*end)(void)) { at_end = end; }

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

static void note_failure(void) {
  int64_t time = now();
  if (first_failure == 0 || time - last_failure > LONGEST_PAUSE) first_failure = time;
  last_failure = time;
  if (time - first_failure < PATIENCE) return;
  void (*end)(void) = atomic_exchange(&at_end, 0);
  if (end) end();
}

// Stands before that of the C library.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *argument) {
  static _Atomic(maker *) make;
  if (!make) make = (maker *)dlsym(RTLD_NEXT, "pthread_create");
  int result = make(thread, attributes, body, argument);
  if (result == 0) {
    first_failure = 0;
  } else if (result == EAGAIN) {
    note_failure();
  }
  return result;
}
