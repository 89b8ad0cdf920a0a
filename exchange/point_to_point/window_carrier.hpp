/// Carriers of windows: how accesses reach the memory of their targets.
///
///     window ---> window_carrier --+--> native_window      processes: windows of the MPI library
///                                  +--> endpoint_window    endpoints: copies in the process, and
///                                                          requests to other processes
///
/// A window checks its calls; a carrier carries them out.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <cstdint>
#include <memory>

namespace seam::detail {

/// An access that has been checked.
struct window_access {
  int target;
  std::int64_t at;      ///< displacement in the target's memory [units]
  std::int64_t unit;    ///< of displacements there [bytes]
  elements here, there; ///< of as many bytes; the address of `there` is not used
};

/// Threads: one at a time.
class window_carrier {
public:
  window_carrier() = default;
  window_carrier(window_carrier const&) = delete;
  window_carrier& operator=(window_carrier const&) = delete;
  virtual ~window_carrier() = default;

  /// The memory of this rank.
  virtual void* data() const noexcept = 0;

  /// Lets this rank access its targets. Collective as a fence.
  /// @param is_first  no epoch has ended just before
  virtual void begin_epoch(bool is_first) = 0;

  /// Returns when all accesses by and to this rank are done. Collective as a fence.
  /// @param is_last  no epoch begins at once
  virtual void end_epoch(bool is_last) = 0;

  /// Waits for a lock on the memory of `target`; ends the accesses, and gives it back. Local.
  virtual void lock(int target, lock_kind kind) = 0;
  virtual void unlock(int target) = 0;

  virtual void put(window_access const& access) = 0;
  virtual void get(window_access const& access) = 0;
  virtual void accumulate(window_access const& access, MPI_Op op) = 0;

  /// Frees the window, in which no epoch is open. Collective.
  virtual void free() = 0;

  /// Leaves all that other ranks may still use as it is. Local.
  virtual void abandon() noexcept = 0;
};

/// Windows of the MPI library.
/// @throws usage_error  on all ranks: it has none among these hosts
/// Collective: over `over`.
std::unique_ptr<window_carrier> make_native_window(
    Communicator const& over, opened_memory const& own, collective_edges const& edges);

/// Windows between endpoints.
/// Collective: over `over`.
std::unique_ptr<window_carrier> make_endpoint_window(
    Communicator const& over, opened_memory const& own, collective_edges const& edges);

} // namespace seam::detail
