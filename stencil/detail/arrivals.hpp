/// Arrivals: the ghosts that a process awaits after the start of a halo. They follow from the
/// halo's plan alone: a ghost is awaited if a message brings it, or a copy inside the process that
/// a message precedes.
///
///     halo_arrivals<2> const arrivals(grid.halo_parts(), grid.rank());
///     arrivals.await_copies(flying);              // no other process takes part
///     arrivals.at_hand(u.owned(), grid.ghosts())  // cells that may be read before any message
#pragma once

#include <seam/exchange/halo/partitioned_exchange.hpp>
#include <seam/stencil/detail/halo_plan.hpp>

#include <vector>

namespace seam::detail {

/// The ghosts that one edge of a halo's rounds brings, in indices relative to the block.
template <int D>
struct halo_arrival {
  box<D> ghosts;
  bool is_awaited; ///< false: copied inside the process before any message is waited for
};

/// The arrivals of rounds that are carried out one after another. An immutable value.
template <int D>
class halo_arrivals {
public:
  halo_arrivals() = default;

  /// @param rounds  of `rank`; a round begins when the round before has arrived as a whole
  /// Local.
  halo_arrivals(std::vector<halo_round<D>> const& rounds, int rank);

  /// The edges round after round, as in_flight::arrived() numbers them.
  std::vector<halo_arrival<D>> const& edges() const noexcept { return edges_; }

  /// The cells at hand: a box that holds `owned` and its ghosts, `ghosts` wide, except on sides
  /// where ghosts are awaited.
  box<D> at_hand(box<D> const& owned, ghost_width<D> const& ghosts) const;

  /// Returns when all ghosts that are not awaited are in place. Involves no other process.
  ///
  /// @param exchange  of these rounds, started, with all gates open
  void await_copies(in_flight& exchange) const;

private:
  std::vector<halo_arrival<D>> edges_;
  std::vector<int> copies_; ///< numbers of the edges that are not awaited
};

extern template class halo_arrivals<1>;
extern template class halo_arrivals<2>;
extern template class halo_arrivals<3>;

} // namespace seam::detail
