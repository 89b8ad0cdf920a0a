#include <seam/exchange/endpoints/attachment.hpp>

#include <seam/exchange/ground/setting.hpp>

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <memory>
#include <new>
#include <utility>

namespace seam::detail {
namespace {

constinit on_off_setting inherits("SEAM_INHERIT_ENDPOINTS", true);

using start_routine = void* (*)(void*);
using creator = int (*)(pthread_t*, pthread_attr_t const*, start_routine, void*);

/// The pthread_create that the program would call without seam.
creator next_creator() noexcept {
  static auto const found = reinterpret_cast<creator>(dlsym(RTLD_NEXT, "pthread_create"));
  return found;
}

/// What a new thread does, and the endpoint that it begins at.
struct beginning {
  std::shared_ptr<endpoint> at;
  start_routine start;
  void* argument;
};

void* begin_thread(void* of) {
  std::unique_ptr<beginning> const own(static_cast<beginning*>(of));
  auto const [start, argument] = std::pair(own->start, own->argument);
  begin_at(std::exchange(own->at, nullptr));
  return start(argument);
}

} // namespace

void let_threads_inherit() { static_cast<void>(inherits.is_on()); }

} // namespace seam::detail

/// Replaces the function of the C library for the whole program.
extern "C" int pthread_create(pthread_t* made, pthread_attr_t const* attributes,
                              void* (*start)(void*), void* argument) {
  using namespace seam::detail;
  auto const next = next_creator();
  if (!has_endpoints() || !inherits.is_on())
    return next(made, attributes, start, argument);
  std::unique_ptr<beginning> passed(new (std::nothrow)
                                        beginning{endpoint_of_thread(), start, argument});
  if (passed == nullptr)
    return EAGAIN;
  int const failure = next(made, attributes, begin_thread, passed.get());
  if (failure == 0)
    static_cast<void>(passed.release()); // NOLINT(bugprone-unused-return-value): the thread's
  return failure;
}
