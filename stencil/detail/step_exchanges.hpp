/// Exchanges of steps: the parts of supplies that travel in a moment, from which rank to which. All
/// ranks find the same from the program alone.
#pragma once

#include <seam/exchange/halo/exchange.hpp>
#include <seam/stencil/detail/step_graph.hpp>

#include <map>
#include <utility>
#include <vector>

namespace seam::detail {

template <int D>
class step_exchanges {
public:
  /// Parts of a moment's supplies, numbered with their components; by owner.
  using numbered_parts = std::vector<std::pair<int, owned_part<D>>>;
  using parts_by_owner = std::map<int, numbered_parts>;

  /// @param flow, arrays, over, kept  as of make_step_graph(); they outlive this
  step_exchanges(step_dataflow<D> const& flow, std::vector<step_array> const& arrays,
                 Communicator const& over, kept_exchanges& kept)
      : flow_(flow), arrays_(arrays), over_(over), kept_(kept) {}

  /// The boxes that a rank computes. [instances] The reference stays valid.
  std::vector<box<D>> const& regions_of(int rank);

  /// The parts that `receiver` needs, in an order on which both ends agree.
  parts_by_owner needed_by(int receiver, step_moment const& moment);

  /// The parts among them that `owner` owns.
  numbered_parts needed_of(int owner, int receiver, step_moment const& moment) {
    return needed_by(receiver, moment)[owner];
  }

  /// The supply and the component of each number in a moment.
  struct supplied {
    int place; ///< among the moment's supplies
    int array, component;
  };
  std::vector<supplied> numbers_of(step_moment const& moment) const;

  /// The exchange of a moment, which may be that of an equal one.
  /// Collective: over the communicator.
  kept_exchange& of(step_moment const& moment);

private:
  struct edges_with_regions {
    std::vector<int> ranks;
    std::vector<std::vector<array_region>> regions; ///< [ranks]
  };

  edges_with_regions leaving(step_moment const& moment);
  edges_with_regions arriving(step_moment const& moment);
  cell_index<D> reach() const;
  array_region region_at(supplied const& which, box<D> const& global) const;
  std::vector<exchanged_array> arrays_of(step_moment const& moment) const;

  step_dataflow<D> const& flow_;
  std::vector<step_array> const& arrays_;
  Communicator const& over_;
  kept_exchanges& kept_;
  std::map<int, std::vector<box<D>>> rank2regions_;
};

} // namespace seam::detail
