// MPICH 4.0 polls in its calls without a pause, and has no setting for it (MPIR_CVAR_POLLS_BEFORE_YIELD
// has no effect in its device ch4). Where there are more ranks than cores, the rank that all wait for
// then gets a core once in some milliseconds. Ranks of tests preload this library: where MPICH looks
// for messages by UCX and finds none, the core goes to others.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  if (!progress)
    *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  unsigned const num_events = progress(worker);
  if (num_events == 0)
    sched_yield();
  return num_events;
}
