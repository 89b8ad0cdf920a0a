#include <seam/exchange/engine/operation.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/engine/engine.hpp>
#include <seam/exchange/engine/operation_tags.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/choice.hpp>
#include <seam/exchange/transport/message/message.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <exception>
#include <utility>

namespace seam {
using namespace detail;

namespace {

/// An engine that is moved by the waits of this process and by the progress thread.
class progressed_engine final : public engine, public progressable {
public:
  progressed_engine(schedule steps, transport_maker const& make_transport)
      : engine(std::move(steps), make_transport) {
    add_to_progress(*this);
  }
  ~progressed_engine() override { remove_from_progress(*this); }

  bool make_progress() noexcept override {
    try {
      return !test();
    } catch (...) { // every further test() throws the error again
      return false;
    }
  }

  bool is_at_rest() const noexcept override { return !is_active(); }
};

/// An operation of one round forwards no data, and need not be listed with the progress thread.
std::shared_ptr<engine> make_engine(schedule steps, transport_maker const& make_transport) {
  if (steps.num_rounds > 1)
    return std::make_shared<progressed_engine>(std::move(steps), make_transport);
  return std::make_shared<engine>(std::move(steps), make_transport);
}

transport_maker carried_by_messages(Communicator const& over, int first_tag) {
  return [context = over.context(), first_tag](schedule const& plan, std::byte* staging) {
    return make_message_transport(context, first_tag, plan, staging);
  };
}

/// Messages of an operation that draws a tag when it starts.
transport_maker carried_by_tagged_messages(Communicator const& over) {
  return [context = over.context(), draw_tag = over.tags_of_starts()](schedule const& plan,
                                                                      std::byte* staging) {
    return make_immediate_transport(context, draw_tag, plan, staging);
  };
}

std::shared_ptr<engine> make_persistent(Communicator const& over, schedule steps) {
  int const num_tags = largest_of_all(over.context(), num_channels(steps));
  auto const tags = draw_operation_tags(over, num_tags);
  auto const [carrier, carriers] =
      choose_transport(over, steps, carried_by_messages(over, tags.first));
  explain_schedule(over.context(), "exchange", steps, carriers);
  steps.keeps.push_back(tags.hold);
  steps.keeps.push_back(over.keep_alive());
  return collectively(over.context(),
                      [&, &make = carrier] { return make_engine(std::move(steps), make); });
}

/// The engine of an operation that draws a tag when it starts.
std::shared_ptr<engine> make_immediate(Communicator const& over, schedule steps) {
  return make_engine(std::move(steps),
                     choose_transport_of_start(over, carried_by_tagged_messages(over)));
}

} // namespace

in_flight::in_flight(std::shared_ptr<activity> running, std::shared_ptr<void const> keeps)
    : keeps_(std::move(keeps)), running_(std::move(running)) {
  if (running_->needs_progress())
    start_progress_thread();
}

in_flight::~in_flight() {
  if (running_ != nullptr && std::uncaught_exceptions() == 0 && !seam_has_ended())
    running_->wait();
}

bool in_flight::test() {
  if (running_->test())
    return true;
  progress_now_and_then();
  return false;
}

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

std::shared_ptr<activity> operation::immediate_activity(Communicator const& over, schedule steps,
                                                        int tag) {
  steps.keeps.push_back(over.keep_alive());
  auto const by_messages = [&](schedule const& plan, std::byte* staging) {
    return make_immediate_transport(
        over.context(), [tag] { return tag; }, plan, staging);
  };
  return make_engine(std::move(steps), by_messages);
}

operation operation::blocking(Communicator const& over, schedule const& steps) {
  auto const carrier = choose_transport_of_call(over, steps, carried_by_tagged_messages(over));
  return {make_engine(steps, carrier), steps};
}

std::shared_ptr<activity> operation::immediate_activity_inside(Communicator const& over,
                                                               schedule steps) {
  return make_immediate(over, std::move(steps));
}

operation& operation::keep_on(Communicator const& over, char const* name) {
  running_->count_on(over.calls()->begin_part(), name);
  return *this;
}

operation& operation::rename(char const* name) {
  running_->count_on(running_->record(), name);
  return *this;
}

operation& operation::count_with(operation const& other) {
  running_->count_on(other.running_->record(), running_->name_of_call());
  return *this;
}

in_flight operation::start() {
  call_scope const here = running_->starting();
  running_->belongs_to(here);
  running_->start();
  return in_flight(running_);
}

in_flight operation::start_gated() {
  call_scope const here = running_->starting();
  running_->belongs_to(here);
  running_->start_gated();
  return in_flight(running_);
}

void operation::run() {
  call_scope const here = running_->starting();
  run_inside(here);
}

void operation::run_inside(call_scope const& call) {
  running_->belongs_to(call);
  running_->start();
  running_->wait();
}

} // namespace seam
