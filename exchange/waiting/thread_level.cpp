#include <seam/exchange/waiting/thread_level.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/check.hpp>
#include <seam/exchange/mpi/names.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace seam {
using namespace detail;

namespace {

constexpr std::array<std::pair<std::string_view, int>, 4> levels{
    {{"single", MPI_THREAD_SINGLE},
     {"funneled", MPI_THREAD_FUNNELED},
     {"serialized", MPI_THREAD_SERIALIZED},
     {"multiple", MPI_THREAD_MULTIPLE}}};

constexpr int unknown = -1;
constinit std::atomic<int> limit = unknown;

int native_level() {
  int level = MPI_THREAD_SINGLE;
  mpi::check(MPI_Query_thread(&level), "MPI_Query_thread");
  return level;
}

bool is_main_thread() {
  int is_main = 0;
  mpi::check(MPI_Is_thread_main(&is_main), "MPI_Is_thread_main");
  return is_main != 0;
}

/// How deep a thread is in calls; at MPI_THREAD_SERIALIZED one thread is in any, and `caller`
/// points to its depth.
constinit thread_local int depth = 0;
constinit std::atomic<int const*> caller = nullptr;

/// False if another thread is in a call.
bool enter_alone() {
  int const* none = nullptr;
  if (depth == 0 && !caller.compare_exchange_strong(none, &depth))
    return false;
  ++depth;
  return true;
}

void leave() {
  if (--depth == 0)
    caller.store(nullptr);
}

} // namespace

int mpi::wanted_thread_level() {
  char const* const text = std::getenv("SEAM_THREAD_LEVEL");
  if (text == nullptr)
    return MPI_THREAD_MULTIPLE;
  auto const* const found =
      std::ranges::find(levels, std::string_view(text), &std::pair<std::string_view, int>::first);
  if (found == levels.end())
    refuse(fmt::format("SEAM_THREAD_LEVEL '{}' (expected single, funneled, serialized or multiple)",
                       text));
  return found->second;
}

void mpi::limit_thread_level(int level) noexcept { limit.store(level, std::memory_order_relaxed); }

int mpi::thread_level() {
  int most = limit.load(std::memory_order_relaxed);
  if (most == unknown)
    limit.store(most = wanted_thread_level(), std::memory_order_relaxed);
  return std::min(most, native_level());
}

call_of_thread::call_of_thread(char const* call, std::string_view what) {
  if (!checks_are_on() || seam_has_ended()) // after the end the call itself is refused
    return;
  int const level = mpi::thread_level();
  if (level == MPI_THREAD_MULTIPLE)
    return;
  if (level == MPI_THREAD_SERIALIZED) {
    is_counted_ = enter_alone();
    if (!is_counted_)
      refuse(fmt::format("{}: {} while another thread is in a call of seam, with {} (expected one "
                         "thread at a time, or MPI_THREAD_MULTIPLE)",
                         call, what, mpi::name_of_thread_level(level)));
  } else if (!is_main_thread()) {
    refuse(fmt::format("{}: {} by another thread than the one that started MPI, with {} (expected "
                       "that thread, or MPI_THREAD_MULTIPLE)",
                       call, what, mpi::name_of_thread_level(level)));
  }
}

call_of_thread::~call_of_thread() {
  if (is_counted_)
    leave();
}

} // namespace seam
