#include <seam/exchange/operation.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/engine.hpp>
#include <seam/exchange/explanations.hpp>
#include <seam/exchange/node.hpp>
#include <seam/exchange/transport/choice.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <fmt/format.h>

#include <map>
#include <string>

namespace seam {
namespace {

transport_maker carried_by_messages(Communicator const& over, schedule const& steps) {
  int const num_tags = largest_of_all(over.context(), num_channels(steps));
  return [context = over.context(), first_tag = over.draw_tags(num_tags)](schedule const& some,
                                                                          std::byte* staging) {
    return make_message_transport(context, first_tag, some, staging);
  };
}

/// What goes to one other process.
struct load {
  std::int64_t bytes = 0;
  int messages = 0;
};

/// Who gets how much, and by what, in words.
std::string in_words(Communicator const& over, schedule const& steps, bool has_memory) {
  constexpr std::size_t most_lines = 26;
  std::map<int, load> peers2loads;
  std::int64_t bytes = 0;
  for (send_step const& step : steps.sends) {
    load& one = peers2loads[step.peer];
    one.bytes += step.wire.bytes;
    ++one.messages;
    bytes += step.wire.bytes;
  }
  std::string text =
      fmt::format("exchange among {} rank{}, of which rank {} sends {} bytes to {} other{}\n",
                  over.size(), over.size() == 1 ? "" : "s", over.rank(), bytes, peers2loads.size(),
                  peers2loads.size() == 1 ? "" : "s");
  std::size_t lines = 0;
  for (auto const& [peer, one] : peers2loads) {
    if (lines++ == most_lines)
      return text + "  ...\n";
    bool const is_near = has_memory && over.node().local_rank(peer) != node::elsewhere;
    text += fmt::format("  rank {}: {} bytes, {} message{} by {}\n", peer, one.bytes, one.messages,
                        one.messages == 1 ? "" : "s", is_near ? "the memory of the node" : "MPI");
  }
  return text;
}

std::shared_ptr<engine> make_persistent(Communicator const& over, schedule steps) {
  auto const [carrier, has_memory] =
      choose_transport(over, steps, carried_by_messages(over, steps));
  explain(over.context(), [&, by_memory = has_memory] { return in_words(over, steps, by_memory); });
  steps.keeps.push_back(over.keep_alive());
  return collectively(over.context(), [&, &make = carrier] {
    return std::make_shared<engine>(std::move(steps), make);
  });
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

std::shared_ptr<activity> operation::immediate_activity_inside(Communicator const& over,
                                                               schedule steps) {
  return make_immediate(over, std::move(steps), over.tags_of_starts());
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
