// What keeps tests out of the home of whoever runs them. There is nothing to call.
#ifndef KEYDRAG_CTESTHOME_H
#define KEYDRAG_CTESTHOME_H
#endif
