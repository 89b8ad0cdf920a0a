#include <seam/exchange/transport/shared/steps_in_memory.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/transport/shared/channels.hpp>
#include <seam/exchange/transport/shared/shared.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace seam {
namespace {

/// The steps whose peers are on-node and whose messages have at most `most` bytes.
step_choice steps_on_node(Communicator const& over, schedule const& steps, std::int64_t most) {
  return steps_with(steps, [&on = over.node(), most](int peer, std::int64_t bytes) {
    return bytes <= most && on.local_rank(peer) != node::elsewhere;
  });
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
    suits_messages.push_back(has_long_private_messages(over, part_of(steps, chosen)) ? 1 : 0);
    has_far = has_far || !has_all(chosen);
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

carried_operations steps_in_memory(Communicator const& over, std::span<schedule const> left) {
  bool const has_other_side = over.topology().is_bipartite();
  if (!shared_memory_is_on() || has_other_side) // a node does not know ranks of the other side
    return {};
  if (left.empty())
    return {{}, true};
  auto [chosen, are_all] = steps_by_memory(over, left);
  std::vector<schedule> near;
  for (std::size_t k = 0; k < left.size(); ++k)
    near.push_back(part_of(left[k], chosen[k]));
  auto const ends = collectively(over.context(), [&] { return make_channels(over, near); });
  carried_operations carried{{}, are_all};
  for (std::size_t k = 0; k < ends.size(); ++k)
    carried.each.push_back({std::move(chosen[k]), [context = over.context(), its_ends = ends[k]](
                                                      schedule const& some, std::byte* staging) {
                              return make_shared_transport(context, its_ends, some, staging);
                            }});
  return carried;
}

} // namespace seam
