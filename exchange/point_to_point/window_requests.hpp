/// Requests of windows between processes: an endpoint asks the server of its target to access the
/// target's memory, whose place it knows.
///
///     origin                                             target's server
///     lock ------------------ request -----------------> asks for the lock
///          <----------------- grant --------------------
///     put, accumulate ------- request, bytes ----------> writes
///     get ------------------- request -----------------> reads
///          <----------------- bytes --------------------
///     end of an epoch ------- request -----------------> has carried out all before
///          <----------------- answer -------------------
///
/// Requests to one target are carried out in their order.
#pragma once

#include <seam/exchange/ground/kept_error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/point_to_point/endpoint_memory.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/schedule/reduction.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <mpi.h>

#include <cstddef>
#include <list>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace seam::detail {

/// An operation of MPI on elements of one of its types, as numbers that all processes understand.
/// Without one elements are replaced.
struct accumulation {
  int op = -1, type = -1;
};

/// The accumulation `op` of elements of the type of `values`.
/// @throws usage_error  MPI does not define it, or the type is a derived one or has gaps
/// Local.
accumulation accumulation_of(MPI_Op op, elements const& values);

/// The combiner of an accumulation; an empty one replaces. Local.
combiner combiner_of(accumulation const& how);

/// The requests of one endpoint to others.
/// Threads: one at a time.
class window_requests {
public:
  /// @param over  the context of the window
  explicit window_requests(mpi::context& over) : over_(over) {}

  /// Asks for `wire` to be written to the bytes of `there`, which may then change. [as many bytes]
  /// @param there  places in the target's process
  void write(int target, std::span<block const> there, std::span<std::byte const> wire,
             accumulation const& how);

  /// Asks for the bytes of `there`, which are in `into` after finish().
  void read(int target, std::span<block const> there, elements const& into);

  /// Returns when the lock is held.
  void lock(int target, lock_kind kind);

  /// Returns when all requests to `target` have been carried out, and the lock is given back.
  void unlock(int target);

  /// Returns when all requests have been carried out.
  void finish();

private:
  struct sent_request {
    std::vector<std::byte> bytes;
    mpi::transfer message;
  };
  struct awaited_content {
    std::vector<block> places;
    std::vector<std::byte> bytes;
    mpi::transfer message;
  };

  void post(int target, std::vector<std::byte> bytes);
  void wait_for_answer(int target);
  void complete();

  mpi::context& over_;
  std::set<int> targets_; ///< of requests that have not been answered
  std::list<sent_request> sent_;
  std::list<awaited_content> awaited_;
};

/// Carries out what endpoints of other processes ask for, as part of the process's progress.
class window_server final : public progressable {
public:
  /// @param over  the context of the window
  window_server(mpi::context& over, endpoint_memory& of);
  ~window_server() override { remove_from_progress(*this); }

  bool make_progress() noexcept override;

  /// Returns when all contents have left. No request comes any more.
  void finish();

  /// Throws the error of a request, if there was one.
  void rethrow() const { failure_.rethrow(); }

private:
  struct content {
    std::vector<std::byte> bytes;
    mpi::transfer message;
  };

  void serve();
  bool take();
  void carry_out(int origin);
  void answer_get(int origin, std::span<block const> places, std::int64_t bytes);

  mpi::context& over_;
  endpoint_memory& memory_;
  std::vector<std::byte> request_;        ///< that arrives
  std::optional<mpi::transfer> arriving_; ///< its message
  std::list<content> leaving_;
  kept_error failure_;
};

} // namespace seam::detail
