#include <seam/exchange/operation.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/engine.hpp>
#include <seam/exchange/transport/message/message.hpp>

namespace seam {
namespace {

std::shared_ptr<engine> make_persistent(Communicator const& over, schedule steps) {
  int const num_tags = largest_of_all(over.context(), num_channels(steps));
  auto const by_messages = [&, first_tag = over.draw_tags(num_tags)](schedule const& plan,
                                                                     std::byte* staging) {
    return make_message_transport(over.context(), first_tag, plan, staging);
  };
  steps.keeps.push_back(over.keep_alive());
  return collectively(over.context(),
                      [&] { return std::make_shared<engine>(std::move(steps), by_messages); });
}

std::shared_ptr<engine> make_immediate(Communicator const& over, schedule steps) {
  auto const by_messages = [&](schedule const& plan, std::byte* staging) {
    return make_immediate_transport(over.context(), over.tags_of_starts(), plan, staging);
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
  return {make_immediate(over, steps), steps};
}

operation operation::immediate_inside(Communicator const& over, schedule const& steps) {
  return {make_immediate(over, steps), steps};
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
