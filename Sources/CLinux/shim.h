// What Glibc's Swift overlay leaves out. Each line says what it is for.
#pragma once

#include <sys/epoll.h>    // the event loop
#include <sys/eventfd.h>  // waking a loop from another thread
