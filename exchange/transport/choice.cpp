#include <seam/exchange/transport/choice.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/transport/matching_lengths.hpp>
#include <seam/exchange/transport/mixed/mixed.hpp>
#include <seam/exchange/transport/shared/mailbox_transport.hpp>
#include <seam/exchange/transport/shared/shared.hpp>

#include <algorithm>
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

/// The steps whose peers are on-node and whose messages have at most `most` bytes.
step_choice steps_on_node(Communicator const& over, schedule const& steps, std::int64_t most) {
  return steps_with(steps, [&on = over.node(), most](int peer, std::int64_t bytes) {
    return bytes <= most && on.local_rank(peer) != node::elsewhere;
  });
}

std::size_t num_messages(schedule const& steps) {
  return steps.sends.size() + steps.receives.size();
}

/// The steps that the node's memory may carry.
struct near_steps {
  std::vector<step_choice> chosen; ///< [schedules]
  bool are_all = true;             ///< on all ranks: no message is sent by MPI
};

/// The steps of each schedule that the node's memory may carry.
/// Collective: over `over`.
near_steps steps_by_memory(Communicator const& over, std::span<schedule const> all) {
  near_steps near;
  std::vector<int> suits_messages; // [all] 1 if MPI sends some message faster
  bool has_far = false;
  for (schedule const& steps : all) {
    auto const& chosen = near.chosen.emplace_back(
        steps_on_node(over, steps, std::numeric_limits<std::int64_t>::max()));
    schedule const on_node = part_of(steps, chosen);
    suits_messages.push_back(has_long_private_messages(over, on_node) ? 1 : 0);
    has_far = has_far || num_messages(on_node) < num_messages(steps);
  }
  // Both ends know the length of a message, but only one whether the other can read its memory.
  suits_messages.push_back(has_far ? 1 : 0);
  mpi::allreduce(over.context(), std::span<int>(suits_messages), MPI_MAX);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (suits_messages[k] != 0)
      near.chosen[k] = steps_on_node(over, all[k], longest_private_message);
  near.are_all = std::ranges::count(suits_messages, 0) == std::ssize(suits_messages);
  return near;
}

} // namespace

std::vector<transport_choice> choose_transports(Communicator const& over,
                                                std::span<schedule const> all,
                                                std::span<transport_maker const> by_messages) {
  std::vector<transport_choice> chosen;
  for (transport_maker const& make : by_messages)
    chosen.push_back({make});
  bool const has_other_side = over.topology().is_bipartite();
  if (!shared_memory_is_on() || has_other_side) { // a node does not know ranks of the other side
    require_matching_lengths(over, all);
    return chosen;
  }
  if (all.empty())
    return chosen;
  auto const [are_near, are_all_near] = steps_by_memory(over, all);
  if (!are_all_near)
    require_matching_lengths(over, all);
  std::vector<schedule> near;
  for (std::size_t k = 0; k < all.size(); ++k)
    near.push_back(part_of(all[k], are_near[k]));
  auto const ends = collectively(over.context(), [&] { return make_channels(over, near); });
  for (std::size_t k = 0; k < ends.size(); ++k) {
    if (num_messages(near[k]) == 0)
      continue;
    transport_maker by_memory = [context = over.context(), its_ends = ends[k]](schedule const& some,
                                                                               std::byte* staging) {
      return make_shared_transport(context, its_ends, some, staging);
    };
    if (num_messages(near[k]) < num_messages(all[k]))
      by_memory = mixed(are_near[k], std::move(by_memory), by_messages[k]);
    chosen[k] = {std::move(by_memory), true};
  }
  return chosen;
}

transport_choice choose_transport(Communicator const& over, schedule const& steps,
                                  transport_maker const& by_messages) {
  return choose_transports(over, {&steps, 1}, {&by_messages, 1}).front();
}

transport_maker choose_transport_of_calls(mpi::comm_view context,
                                          std::shared_ptr<mailboxes> const& all,
                                          schedule const& steps, transport_maker by_messages) {
  if (all == nullptr)
    return by_messages;
  auto [chosen, by_mailboxes] = through_mailboxes(context, all, steps);
  return mixed(std::move(chosen), std::move(by_mailboxes), std::move(by_messages));
}

} // namespace seam
