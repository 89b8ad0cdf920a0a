/// Exchanges of steps: the parts of supplies that travel in a moment, from which rank to which. All
/// ranks find the same from the program alone.
#pragma once

#include <seam/exchange/halo/exchange.hpp>
#include <seam/stencil/detail/ghost_messages.hpp>
#include <seam/stencil/detail/step_graph.hpp>

#include <map>
#include <utility>
#include <vector>

namespace seam::detail {

class step_exchanges {
public:
  /// @param flow, arrays, over, kept  as of make_step_graph(); they outlive this
  step_exchanges(step_dataflow const& flow, std::vector<step_array> const& arrays,
                 Communicator const& over, kept_exchanges& kept)
      : flow_(flow), arrays_(arrays), over_(over), kept_(kept) {}

  /// The boxes that a rank computes. [instances] The reference stays valid.
  std::vector<box3> const& regions_of(int rank);

  /// The parts that `receiver` needs of a moment's supplies, numbered with their components.
  owners2parts needed_by(int receiver, step_moment const& moment);

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
  ghost_messages messages(step_moment const& moment);
  index3 reach() const;
  std::vector<exchanged_array> arrays_of(step_moment const& moment) const;

  step_dataflow const& flow_;
  std::vector<step_array> const& arrays_;
  Communicator const& over_;
  kept_exchanges& kept_;
  std::map<int, std::vector<box3>> rank2regions_;
};

} // namespace seam::detail
