#include <seam/exchange/operation.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/exchange/transport/message/message.hpp>

namespace seam {

operation::operation(Communicator const& over, schedule steps) : over_(over.keep_alive()) {
  int const num_tags = mpi::allreduce(over.context(), num_channels(steps), MPI_MAX);
  auto const by_messages = [&, first_tag = over.draw_tags(num_tags)](schedule const& plan,
                                                                     std::byte* staging) {
    return make_message_transport(over.context(), first_tag, plan, staging);
  };
  running_ = collectively(over.context(),
                          [&] { return std::make_shared<engine>(std::move(steps), by_messages); });
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
