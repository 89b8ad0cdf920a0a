/// Partitioned boxes: partitioned halos without the types of fields and the number of axes.
#pragma once

#include <seam/exchange/halo/partitioned_exchange.hpp>
#include <seam/stencil/space/halo_plan.hpp>

#include <vector>

namespace seam::detail {

/// A partitioned exchange whose edges read and fill boxes of cells.
class partitioned_boxes : public partitioned_exchange {
public:
  /// @param num_axes  of the fields' grid
  /// @param rounds    the boxes of their edges tell which cells each edge sends and receives
  /// @param marked    the cells that ready() marks
  /// Collective: over `over`.
  partitioned_boxes(char const* call, Communicator const& over, int num_axes,
                    std::vector<halo_round> const& rounds, box3 const& marked,
                    halo_fields const& fields);

protected:
  void ready(box3 const& cells);
  bool arrived(box3 const& cells);
  void wait(box3 const& cells);

private:
  partitioned_boxes(Halo whole, int num_axes, std::vector<box3> sources,
                    std::vector<box3> destinations);
  region marks_of(int destination, box3 const& cells) const;

  int num_axes_;
  std::vector<box3> sources_, destinations_; ///< of all rounds; destinations: marked cells
};

} // namespace seam::detail
