/// Agreement: an error that one rank finds in a collective call becomes the same error on all.
///
///     auto plan = collectively(comm, [&] { return make_plan_or_throw(); });
///
/// Set-up calls end with it, so that no rank enters a call that another rank has left. The steady
/// state does not use it: it would synchronize all ranks.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace seam {

/// A rank's error, as other ranks learn it.
struct error_report {
  error_report(std::string its_line, int its_class = 0)
      : line(std::move(its_line)), error_class(its_class) {}

  std::string line;
  int error_class; ///< MPI's, or 0: see usage_error
};

/// The largest `value` of all ranks, of both sides if `comm` is bipartite.
/// Collective: over `comm`.
int largest_of_all(mpi::comm_view comm, int value);

/// Replaces each of `values` by the largest of all ranks. [as many on all ranks]
/// Collective: over `comm`.
void largest_of_all(mpi::comm_view comm, std::span<int> values);

/// Returns if no rank has an error; otherwise throws the lowest rank's error as a usage_error with
/// the same line on every rank, which ends with "first on rank R of P".
///
/// @param own  this rank's error line, with MPI's class of the error if it has one, or nothing
/// Collective: over `comm`; on a bipartite communicator both sides agree.
/// Cost: one allreduce, and a broadcast if there is an error.
void agree(mpi::comm_view comm, std::optional<error_report> const& own);

/// Throws on every rank, naming the lowest rank that differs, unless all ranks give the same `own`.
///
/// @param what  name of the compared values, for the error line: "grid: options"
/// @param own   this rank's values in words, as the error line shows them
/// Collective: over `comm`.
void require_same(mpi::comm_view comm, std::string_view what, std::string const& own);

namespace detail {

/// The text of the exception in flight, "out of memory" for std::bad_alloc; for use inside a catch
/// block.
std::string line_of_current_exception();

/// The text of the exception in flight, with its class if it has one; for use inside a catch block.
seam::error_report report_of_current_exception();

} // namespace detail

/// Runs `set_up` on every rank and returns its result, or throws on every rank the error of the
/// lowest failing rank. `set_up` itself must not communicate after a point where it can throw.
/// Collective: over `comm`.
template <class F>
auto collectively(mpi::comm_view comm, F&& set_up) {
  using result_type = std::invoke_result_t<F>;
  std::optional<error_report> own;
  if constexpr (std::is_void_v<result_type>) {
    try {
      std::forward<F>(set_up)();
    } catch (...) {
      own = detail::report_of_current_exception();
    }
    agree(comm, own);
  } else {
    std::optional<result_type> result;
    try {
      result.emplace(std::forward<F>(set_up)());
    } catch (...) {
      own = detail::report_of_current_exception();
    }
    agree(comm, own);
    return std::move(*result);
  }
}

} // namespace seam
