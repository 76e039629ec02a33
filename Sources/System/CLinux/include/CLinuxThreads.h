#ifndef CLINUXTHREADS_H
#define CLINUXTHREADS_H
// Ends a program that would wait for ever for threads which it cannot get: Dispatch asks for one again
// every second, on the thread that needs it, and tells nobody.

/// Has `end` called, once, where each thread that was asked for during two seconds and more could not be
/// made. It runs on the thread that asked last, and should not return.
void clinux_end_without_threads(void (*end)(void));

#endif
