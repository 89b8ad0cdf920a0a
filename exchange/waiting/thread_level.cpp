#include <seam/exchange/waiting/thread_level.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
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

constexpr int unasked = -1;
constinit std::atomic<int> limit = unasked;

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

constinit calls_under_way calls_of_process;

/// The calls that those of this thread are counted among, and how deep it is in them: a thread that
/// calls is known by the address of its depth.
constinit thread_local calls_under_way* calls_of_rank = &calls_of_process;
constinit thread_local int depth = 0;

/// The calls that this one is counted among; nullptr if another thread is in one.
calls_under_way* enter_alone() {
  int const* none = nullptr;
  if (depth == 0 && !calls_of_rank->caller.compare_exchange_strong(none, &depth))
    return nullptr;
  ++depth;
  return calls_of_rank;
}

void leave(calls_under_way& calls) {
  if (--depth == 0)
    calls.caller.store(nullptr);
}

/// True if this thread may call at MPI_THREAD_FUNNELED: an endpoint has no other thread.
bool is_thread_of_rank() { return calls_of_rank != &calls_of_process || is_main_thread(); }

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
  if (most == unasked)
    limit.store(most = wanted_thread_level(), std::memory_order_relaxed);
  return std::min(most, native_level());
}

void detail::count_calls_in(calls_under_way* of_endpoint) noexcept {
  calls_of_rank = of_endpoint != nullptr ? of_endpoint : &calls_of_process;
}

call_of_thread::call_of_thread(char const* call, std::string_view what) {
  if (!checks_are_on() || seam_has_ended()) // after the end the call itself is refused
    return;
  int const level = mpi::thread_level();
  if (level == MPI_THREAD_MULTIPLE)
    return;
  if (level == MPI_THREAD_SERIALIZED) {
    counted_in_ = enter_alone();
    if (counted_in_ == nullptr)
      refuse(fmt::format("{}: {} while another thread is in a call of seam, with {} (expected one "
                         "thread at a time, or MPI_THREAD_MULTIPLE)",
                         call, what, mpi::name_of_thread_level(level)));
  } else if (!is_thread_of_rank()) {
    refuse(fmt::format("{}: {} by another thread than the one that started MPI, with {} (expected "
                       "that thread, or MPI_THREAD_MULTIPLE)",
                       call, what, mpi::name_of_thread_level(level)));
  }
}

call_of_thread::~call_of_thread() {
  if (counted_in_ != nullptr)
    leave(*counted_in_);
}

} // namespace seam
