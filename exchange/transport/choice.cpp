#include <seam/exchange/transport/choice.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/node.hpp>
#include <seam/exchange/shared_memory.hpp>
#include <seam/exchange/transport/mixed/mixed.hpp>
#include <seam/exchange/transport/shared/box_transport.hpp>
#include <seam/exchange/transport/shared/shared.hpp>

#include <limits>
#include <utility>

namespace seam {
namespace {

transport_maker mixed(step_choice chosen, transport_maker near, transport_maker far) {
  return [chosen = std::move(chosen), near = std::move(near),
          far = std::move(far)](schedule const& all, std::byte* staging) {
    return make_mixed_transport(all, staging, chosen, near, far);
  };
}

} // namespace

transport_choice choose_transport(Communicator const& over, schedule const& steps,
                                  transport_maker by_messages) {
  bool const has_other_side = over.topology().kind() == topology_kind::bipartite;
  if (!shared_memory_is_on() || has_other_side) // whose ranks no node knows
    return {std::move(by_messages)};
  auto const on_node = [&](std::int64_t most_bytes) {
    return steps_with(steps, [&on = over.node(), most_bytes](int peer, std::int64_t bytes) {
      return bytes <= most_bytes && on.local_rank(peer) != node::elsewhere;
    });
  };
  step_choice are_near = on_node(std::numeric_limits<std::int64_t>::max());
  // Whether its memory can be read only one end of a message knows, how long it is both do.
  bool const suits_messages = has_long_private_messages(over, part_of(steps, are_near));
  if (largest_of_all(over.context(), suits_messages ? 1 : 0) != 0)
    are_near = on_node(longest_private_message);
  schedule const near = part_of(steps, are_near);
  auto const ends = collectively(over.context(), [&] { return make_channels(over, near); });
  if (ends == nullptr || near.sends.size() + near.receives.size() == 0)
    return {std::move(by_messages)};
  transport_maker by_memory = [context = over.context(), ends](schedule const& some,
                                                               std::byte* staging) {
    return make_shared_transport(context, ends, some, staging);
  };
  if (near.sends.size() + near.receives.size() == steps.sends.size() + steps.receives.size())
    return {std::move(by_memory), true};
  return {mixed(are_near, std::move(by_memory), std::move(by_messages)), true};
}

transport_maker choose_transport_of_calls(mpi::comm_view context, std::shared_ptr<boxes> const& all,
                                          schedule const& steps, transport_maker by_messages) {
  if (all == nullptr)
    return by_messages;
  auto [chosen, by_boxes] = through_boxes(context, all, steps);
  return mixed(std::move(chosen), std::move(by_boxes), std::move(by_messages));
}

} // namespace seam
