/// The choice of a transport for what is run again and again.
#pragma once

#include <seam/exchange/communicator.hpp>
#include <seam/exchange/engine.hpp>

namespace seam {

/// What carries the steps of a schedule.
struct transport_choice {
  transport_maker make;
  bool has_memory = false; ///< of the node, for steps whose peer is on it
};

/// What carries `steps`: the memory of the node where the peer is on it, `by_messages` elsewhere,
/// and everywhere if shared memory is off or would be slower.
/// Collective: over `over`.
transport_choice choose_transport(Communicator const& over, schedule const& steps,
                                  transport_maker by_messages);

} // namespace seam
