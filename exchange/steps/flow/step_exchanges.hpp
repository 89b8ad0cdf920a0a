/// Exchanges of steps: the parts of supplies that travel in a moment, from which rank to which.
#pragma once

#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/steps/flow/step_dataflow.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seam::detail {

/// An exchange that is kept, and run once or several times in a graph.
struct kept_exchange {
  step_partners partners;
  std::optional<operation> prepared{}; ///< none on one rank
  std::optional<in_flight> flying{};
  std::vector<int> sources{}, destinations{}; ///< ranks
};

/// Those of a program, by the keys of moments, and by keys of supplies what this rank's readers need.
struct kept_exchanges {
  std::map<std::string, std::unique_ptr<kept_exchange>> by_moment;
  std::map<std::string, step_region> needed;
};

/// A component of an array, by the number that it has in messages.
struct numbered_component {
  int place; ///< of the array among those that travel together
  step_field const* layout;
  int component;
};

/// The ends of messages on this rank: the ranks at the other ends, ascending, and what they carry.
struct message_ends {
  std::vector<int> ranks;
  std::vector<std::vector<array_region>> regions; ///< [ranks]

  std::vector<edge> edges() const { return {ranks.begin(), ranks.end()}; }
};

/// @param end      of parts, on this rank
/// @param numbers  what the numbers of parts stand for
/// Local.
message_ends ends_of(ranks2parts const& parts, step_region travelling_part::*end,
                     std::vector<numbered_component> const& numbers);

class step_exchanges {
public:
  /// @param flow, arrays, over, kept  as of make_step_graph(); they outlive this
  step_exchanges(step_dataflow const& flow, std::vector<step_array> const& arrays,
                 Communicator const& over, kept_exchanges& kept)
      : flow_(flow), arrays_(arrays), over_(over), kept_(kept) {}

  /// The regions that a rank computes. [instances] The reference stays valid.
  computed_regions const& regions_of(int rank);

  /// The components of a moment's supplies, as parts are numbered.
  std::vector<numbered_component> numbers_of(step_moment const& moment) const;

  /// The array of one of these.
  int array_of(step_moment const& moment, numbered_component const& which) const {
    return flow_.supplies()[moment.supplies[which.place]].array;
  }

  /// The exchange of a moment, which may be that of an equal one.
  /// Collective: over the communicator.
  kept_exchange& of(step_moment const& moment);

private:
  std::vector<asked_part> needed_by(int receiver, step_moment const& moment);
  std::vector<step_region> changed_of(step_supply const& supply, std::vector<step_region> needed);
  std::vector<exchanged_array> arrays_of(step_moment const& moment) const;
  void prepare(kept_exchange& made, step_moment const& moment);

  step_dataflow const& flow_;
  std::vector<step_array> const& arrays_;
  Communicator const& over_;
  kept_exchanges& kept_;
  std::map<int, computed_regions> rank2regions_;
};

} // namespace seam::detail
