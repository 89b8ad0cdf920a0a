#include <seam/exchange/operation.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/engine.hpp>
#include <seam/exchange/node.hpp>
#include <seam/exchange/shared_memory.hpp>
#include <seam/exchange/transport/message/message.hpp>
#include <seam/exchange/transport/mixed/mixed.hpp>
#include <seam/exchange/transport/shared/shared.hpp>

namespace seam {
namespace {

/// What carries `steps`, which are run again and again: the memory of the node where the peer is on
/// it, messages elsewhere. Collective: over `over`.
transport_maker choose_transport(Communicator const& over, schedule const& steps) {
  int const num_tags = largest_of_all(over.context(), num_channels(steps));
  transport_maker by_messages = [context = over.context(), first_tag = over.draw_tags(num_tags)](
                                    schedule const& some, std::byte* staging) {
    return make_message_transport(context, first_tag, some, staging);
  };
  bool const has_other_side = over.topology().kind() == topology_kind::bipartite;
  if (!shared_memory_is_on() || has_other_side) // whose ranks no node knows
    return by_messages;
  auto const is_near = [&on = over.node()](int peer) {
    return on.local_rank(peer) != node::elsewhere;
  };
  schedule const near = steps_with(steps, is_near);
  if (largest_of_all(over.context(), suit_messages_better(over, near) ? 1 : 0) != 0)
    return by_messages;
  auto const ends = collectively(over.context(), [&] { return make_channels(over, near); });
  if (ends == nullptr || near.sends.size() + near.receives.size() == 0)
    return by_messages;
  transport_maker by_memory = [context = over.context(), ends](schedule const& some,
                                                               std::byte* staging) {
    return make_shared_transport(context, ends, some, staging);
  };
  if (near.sends.size() + near.receives.size() == steps.sends.size() + steps.receives.size())
    return by_memory;
  return [=](schedule const& all, std::byte* staging) {
    return make_mixed_transport(all, staging, is_near, by_memory, by_messages);
  };
}

std::shared_ptr<engine> make_persistent(Communicator const& over, schedule steps) {
  transport_maker const carrier = choose_transport(over, steps);
  steps.keeps.push_back(over.keep_alive());
  return collectively(over.context(),
                      [&] { return std::make_shared<engine>(std::move(steps), carrier); });
}

std::shared_ptr<engine> make_immediate(Communicator const& over, schedule steps,
                                       std::function<int()> const& draw_tag) {
  auto const by_messages = [&](schedule const& plan, std::byte* staging) {
    return make_immediate_transport(over.context(), draw_tag, plan, staging);
  };
  return std::make_shared<engine>(std::move(steps), by_messages);
}

} // namespace

operation::operation(std::shared_ptr<activity> running, schedule const& steps)
    : running_(std::move(running)), num_messages_(static_cast<int>(steps.sends.size())) {
  for (send_step const& step : steps.sends)
    num_bytes_ += step.wire.bytes;
}

operation::operation(Communicator const& over, schedule const& steps)
    : operation(make_persistent(over, steps), steps) {}

operation operation::immediate(Communicator const& over, schedule steps) {
  steps.keeps.push_back(over.keep_alive());
  return {make_immediate(over, steps, over.tags_of_starts()), steps};
}

std::shared_ptr<activity> operation::immediate_activity(Communicator const& over, schedule steps,
                                                        int tag) {
  steps.keeps.push_back(over.keep_alive());
  return make_immediate(over, std::move(steps), [tag] { return tag; });
}

operation operation::immediate_inside(Communicator const& over, schedule const& steps) {
  return {make_immediate(over, steps, over.tags_of_starts()), steps};
}

in_flight operation::start() {
  running_->start();
  return in_flight(running_);
}

in_flight operation::start_gated() {
  running_->start_gated();
  return in_flight(running_);
}

void operation::run() {
  running_->start();
  running_->wait();
}

} // namespace seam
