#include <seam/exchange/transport/message/message.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/transport/endpoint/endpoint_transport.hpp>
#include <seam/exchange/transport/message/guarded_tags.hpp>
#include <seam/exchange/transport/message/repeated_send.hpp>
#include <seam/exchange/transport/wires.hpp>
#include <seam/exchange/waiting/requests.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// Where a step's bytes lie in memory, and their number as MPI takes it.
struct wire {
  wire(wires const& all, wire_span const& span) : data(all.at(span)), size(span.bytes) {}

  std::byte* data;
  mpi::large_count size;
};

/// A step's message, with the guard of its tags.
struct message {
  message(int to_or_from, wire&& of_step, int guard_of_tags)
      : peer(to_or_from), buffer(std::move(of_step)), guard(guard_of_tags) {}

  int peer;
  wire buffer;
  int guard;
};

/// The base of both message transports: completes their requests.
class request_transport : public transport {
public:
  request_transport(mpi::comm_view context, schedule const& steps, std::byte* staging)
      : context_(context),
        wires_(steps, staging),
        arrived_(steps.receives.size()),
        statuses_(steps.receives.size()) {}

  void begin() override { num_expected_ = 0; }

  void expect(int first, int last) final {
    num_expected_ = std::max(num_expected_, last);
    looks_ = 0;
    start_receives(first, last);
  }

  std::span<int const> arrivals() override {
    if (receives_.size() == 0)
      return {};
    int count = 0;
    int const code =
        MPI_Testsome(receives_.size(), receives_.at(0), &count, arrived_.data(), statuses_.data());
    if (code != MPI_SUCCESS) [[unlikely]]
      refuse_failed(code, count);
    if (count == MPI_UNDEFINED)
      return {};
    if (count == 0)
      has_looked_in_vain();
    auto const steps = std::span(arrived_).first(count);
    for (int k = 0; k < std::ssize(steps); ++k) {
      check_length(steps[k], statuses_[k]);
      wires_.unpack(steps[k]);
    }
    return steps;
  }

  bool all_sent() override { return sends_.test_all(); }

  /// Messages that come later go to memory of their own, so that their senders go on.
  void give_up() noexcept override {
    if (!mpi::is_running())
      return;
    if (num_expected_ > 0)
      mpi::keep_for_ever(context_);
    for (int step = 0; step < num_expected_; ++step)
      if (cancel_if_waiting(receives_.at(step)))
        receive_aside(context_, step_at(step).peer, expected_tag(step), step_at(step).wire.bytes);
  }

protected:
  virtual void start_receives(int first, int last) = 0;

  /// The tag of the message that a receive step expects.
  virtual int expected_tag(int step) const = 0;

  mpi::comm_view context_;
  wires wires_;
  mpi::requests sends_, receives_;

private:
  /// Looks between probes for messages of other lengths: fewer than between those of the memory of
  /// the node (memory_transport.hpp), which leave the sender of a long message waiting.
  static constexpr int looks_between_probes = 500;

  void has_looked_in_vain() {
    if (++looks_ % looks_between_probes == 0)
      look_for_other_lengths();
  }

  void look_for_other_lengths() {
    for (int step = 0; step < num_expected_; ++step)
      if (*receives_.at(step) != MPI_REQUEST_NULL &&
          take_message_of_other_length(context_, step_at(step).peer, expected_tag(step))) {
        cancel_if_waiting(receives_.at(step));
        refuse_length(step);
      }
  }

  /// Tests after a cancellation: with MPICH a receive ends in a later test than the first.
  static constexpr int tests_of_cancelled = 1000;

  /// Cancels a receive, so that no message matches it before its buffer is freed. False if it was
  /// over, or a message has matched it.
  static bool cancel_if_waiting(MPI_Request* receive) noexcept {
    int is_over = 0, is_cancelled = 0;
    MPI_Request_get_status(*receive, &is_over, MPI_STATUS_IGNORE);
    if (is_over != 0)
      return false;
    MPI_Status status;
    MPI_Cancel(receive);
    for (int k = 0; is_over == 0 && k < tests_of_cancelled; ++k) {
      MPI_Test(receive, &is_over, &status);
      std::this_thread::yield();
    }
    if (is_over != 0)
      MPI_Test_cancelled(&status, &is_cancelled);
    return is_cancelled != 0;
  }

  receive_step const& step_at(int step) const { return wires_.steps().receives[step]; }

  /// Refuses a message that is shorter than expected: the rest of its buffer would be old bytes.
  void check_length(int step, MPI_Status const& status) const {
    if (mpi::bytes_of(status) != step_at(step).wire.bytes) [[unlikely]]
      refuse_length(step);
  }

  /// Refuses the one of `count` messages that MPI calls too long; throws any other error of MPI.
  [[noreturn]] void refuse_failed(int code, int count) const {
    for (int k = 0; code == MPI_ERR_IN_STATUS && k < count; ++k) {
      int error_class = MPI_SUCCESS;
      MPI_Error_class(statuses_[k].MPI_ERROR, &error_class);
      if (error_class == MPI_ERR_TRUNCATE)
        refuse_length(arrived_[k]);
    }
    mpi::check(code, "MPI_Testsome");
    refuse("exchange: a message that has not arrived (expected MPI to say why)");
  }

  [[noreturn]] void refuse_length(int step) const {
    refuse(MPI_ERR_TRUNCATE,
           fmt::format("exchange: rank {} sends a message of another length to rank {} than the {} "
                       "bytes that are expected there (expected the same at both ends)",
                       step_at(step).peer, context_.rank(), step_at(step).wire.bytes));
  }

  std::vector<int> arrived_;
  std::vector<MPI_Status> statuses_; ///< of the messages that have arrived
  unsigned looks_ = 0;               ///< looks that found nothing in this round
  int num_expected_ = 0;             ///< no later receive step has been expected in this start
};

/// Numbers the messages with each peer.
class message_numbers {
public:
  /// The number of the next message with `peer`.
  int next(int peer) { return used_[peer]++; }

  int most() const {
    int most = 0;
    for (auto const& [peer, count] : used_)
      most = std::max(most, count);
    return most;
  }

private:
  std::map<int, int> used_;
};

/// The number of each step's message among those with its peer. [steps]
template <class Step>
std::vector<int> numbers_of(std::vector<Step> const& steps) {
  message_numbers used;
  std::vector<int> numbers;
  for (Step const& step : steps)
    numbers.push_back(used.next(step.peer));
  return numbers;
}

/// Keeps a request for each message from start to start.
class persistent_transport final : public request_transport {
public:
  persistent_transport(mpi::comm_view context, int first_tag, schedule const& steps,
                       std::byte* staging)
      : request_transport(context, steps, staging) {
    auto const tags_out = tags_of(steps.sends, first_tag);
    tags_in_ = tags_of(steps.receives, first_tag);
    for (int s = 0; s < std::ssize(steps.sends); ++s) {
      auto const& [round, peer, gates, sources, span] = steps.sends[s];
      out_.emplace_back(context, wires_.at(span), span.bytes, peer, tags_out[s], sends_.add());
    }
    for (int r = 0; r < std::ssize(steps.receives); ++r) {
      wire const buffer(wires_, steps.receives[r].wire);
      mpi::check(MPI_Recv_init(buffer.data, buffer.size.count(), buffer.size.type(),
                               steps.receives[r].peer, tags_in_[r], context.native(),
                               &receives_.add()),
                 "MPI_Recv_init");
    }
  }

  void send(int step) override {
    wires_.pack(step);
    out_[step].start(sends_.at(step));
  }

private:
  /// The tags of steps, from `first` on: the k-th message with a peer has the k-th tag. [steps]
  template <class Step>
  static std::vector<int> tags_of(std::vector<Step> const& steps, int first) {
    std::vector<int> const numbers = numbers_of(steps);
    std::vector<int> tags = guards_of(steps);
    for (int s = 0; s < std::ssize(steps); ++s)
      tags[s] = guarded(first + numbers[s], tags[s]);
    return tags;
  }

  void start_receives(int first, int last) override { receives_.start(first, last); }

  int expected_tag(int step) const override { return tags_in_[step]; }

  std::vector<repeated_send> out_; ///< [send steps]
  std::vector<int> tags_in_;       ///< [receive steps]
};

/// Makes new requests at every start.
class immediate_transport final : public request_transport {
public:
  immediate_transport(mpi::comm_view context, std::function<int()> draw_tag, schedule const& steps,
                      std::byte* staging)
      : request_transport(context, steps, staging), draw_tag_(std::move(draw_tag)) {
    add_messages(steps.sends, sends_, out_);
    add_messages(steps.receives, receives_, in_);
  }

  void begin() override {
    request_transport::begin();
    tag_ = draw_tag_();
  }

  void send(int step) override {
    wires_.pack(step);
    auto const& [peer, buffer, guard] = out_[step];
    mpi::check(MPI_Isend(buffer.data, buffer.size.count(), buffer.size.type(), peer,
                         guarded(tag_, guard), context_.native(), sends_.at(step)),
               "MPI_Isend");
  }

private:
  template <class Step>
  void add_messages(std::vector<Step> const& steps, mpi::requests& to,
                    std::vector<message>& messages) {
    auto const guards = guards_of(steps);
    for (int s = 0; s < std::ssize(steps); ++s) {
      to.add();
      messages.emplace_back(steps[s].peer, wire(wires_, steps[s].wire), guards[s]);
    }
  }

  void start_receives(int first, int last) override {
    for (int step = first; step < last; ++step) {
      auto const& [peer, buffer, guard] = in_[step];
      mpi::check(MPI_Irecv(buffer.data, buffer.size.count(), buffer.size.type(), peer,
                           guarded(tag_, guard), context_.native(), receives_.at(step)),
                 "MPI_Irecv");
    }
  }

  int expected_tag(int step) const override { return guarded(tag_, in_[step].guard); }

  std::function<int()> draw_tag_;
  std::vector<message> out_, in_;
  int tag_ = 0;
};

} // namespace

int num_channels(schedule const& steps) {
  message_numbers out, in;
  for (send_step const& step : steps.sends)
    out.next(step.peer);
  for (receive_step const& step : steps.receives)
    in.next(step.peer);
  return std::max(out.most(), in.most());
}

std::unique_ptr<transport> make_message_transport(mpi::comm_view context, int first_tag,
                                                  schedule const& steps, std::byte* staging) {
  if (mpi::context* const endpoints = mpi::context_of(context))
    return make_endpoint_transport(
        *endpoints, [first_tag] { return first_tag; },
        {.sends = numbers_of(steps.sends), .receives = numbers_of(steps.receives)}, steps, staging);
  return std::make_unique<persistent_transport>(context, first_tag, steps, staging);
}

std::unique_ptr<transport> make_immediate_transport(mpi::comm_view context,
                                                    std::function<int()> draw_tag,
                                                    schedule const& steps, std::byte* staging) {
  if (mpi::context* const endpoints = mpi::context_of(context))
    return make_endpoint_transport(*endpoints, std::move(draw_tag), {}, steps, staging);
  return std::make_unique<immediate_transport>(context, std::move(draw_tag), steps, staging);
}

} // namespace seam::detail
