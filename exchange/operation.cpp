#include <seam/exchange/operation.hpp>

#include <seam/exchange/transport/message/message.hpp>

namespace seam {

operation::operation(Communicator const& over, schedule steps) : over_(over.keep_alive()) {
  auto const by_messages = [&, tag = over.draw_tag()](schedule const& plan, std::byte* staging) {
    return make_message_transport(over.context(), tag, plan, staging);
  };
  running_ = std::make_shared<engine>(std::move(steps), by_messages);
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

std::int64_t operation::num_bytes() const noexcept {
  std::int64_t sum = 0;
  for (send_step const& step : running_->steps().sends)
    sum += step.wire.bytes;
  return sum;
}

} // namespace seam
