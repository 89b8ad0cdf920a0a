#include <seam/exchange/transport/message/message.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/transport/message/guarded_tags.hpp>
#include <seam/exchange/transport/wires.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace seam {
namespace {

/// Where a step's bytes lie in memory, and their number as MPI takes it.
struct wire {
  wire(wires const& all, wire_span const& span)
      : data(all.at(span)), bytes(span.bytes), size(span.bytes) {}

  std::byte* data;
  std::int64_t bytes;
  mpi::large_count size;
};

/// A step's message, with its tag or, where each start has a tag of its own, the guard of the tag.
struct message {
  message(int to_or_from, wire&& of_step, int its_tag_or_guard)
      : peer(to_or_from), buffer(std::move(of_step)), tag_or_guard(its_tag_or_guard) {}

  int peer;
  wire buffer;
  int tag_or_guard;
};

/// Requests in one array, as MPI's calls on many requests take them.
class requests {
public:
  requests() = default;
  requests(requests const&) = delete;
  requests& operator=(requests const&) = delete;
  ~requests() {
    if (mpi::is_running())
      for (MPI_Request& request : natives_)
        if (request != MPI_REQUEST_NULL)
          MPI_Request_free(&request);
  }

  MPI_Request& add() { return natives_.emplace_back(MPI_REQUEST_NULL); }
  int size() const { return static_cast<int>(natives_.size()); }
  MPI_Request* at(int i) { return natives_.data() + i; }

private:
  std::vector<MPI_Request> natives_;
};

/// The base of both message transports: completes their requests.
class request_transport : public transport {
public:
  request_transport(mpi::comm_view context, schedule const& steps, std::byte* staging)
      : context_(context),
        wires_(steps, staging),
        arrived_(steps.receives.size()),
        statuses_(steps.receives.size()) {}

  void expect(int first, int last) final {
    num_expected_ = last;
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
    auto const steps = std::span(arrived_).first(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < steps.size(); ++k) {
      check_length(steps[k], statuses_[k]);
      wires_.unpack(steps[k]);
    }
    return steps;
  }

  bool all_sent() override {
    if (sends_.size() == 0)
      return true;
    int done = 0;
    mpi::check(MPI_Testall(sends_.size(), sends_.at(0), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    return done != 0;
  }

protected:
  virtual void start_receives(int first, int last) = 0;

  /// The tag of the message that a receive step expects.
  virtual int expected_tag(int step) const = 0;

  mpi::comm_view context_;
  wires wires_;
  requests sends_, receives_;

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
        cancel_receive(step);
        refuse_length(step);
      }
  }

  /// Cancels the receive of a step, so that no message matches it before its buffer is freed.
  void cancel_receive(int step) {
    int is_over = 0;
    mpi::check(MPI_Request_get_status(*receives_.at(step), &is_over, MPI_STATUS_IGNORE),
               "MPI_Request_get_status");
    if (is_over == 0)
      mpi::check(MPI_Cancel(receives_.at(step)), "MPI_Cancel");
  }

  receive_step const& step_at(int step) const {
    return wires_.steps().receives[static_cast<std::size_t>(step)];
  }

  /// Refuses a message that is shorter than expected: the rest of its buffer would be old bytes.
  void check_length(int step, MPI_Status const& status) const {
    MPI_Count bytes = 0;
    mpi::check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
    if (bytes != step_at(step).wire.bytes) [[unlikely]]
      refuse_length(step);
  }

  /// Refuses the one of `count` messages that MPI calls too long; throws any other error of MPI.
  [[noreturn]] void refuse_failed(int code, int count) const {
    for (std::size_t k = 0; code == MPI_ERR_IN_STATUS && std::cmp_less(k, count); ++k) {
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
  int num_expected_ = 0;             ///< receive steps of the rounds that have begun
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

/// Keeps a persistent request for each message except the short ones, which MPI_Isend sends faster
/// than the start of a persistent request.
class persistent_transport final : public request_transport {
public:
  persistent_transport(mpi::comm_view context, int first_tag, schedule const& steps,
                       std::byte* staging)
      : request_transport(context, steps, staging) {
    auto const tags_out = tags_of(steps.sends, first_tag);
    tags_in_ = tags_of(steps.receives, first_tag);
    for (std::size_t s = 0; s < steps.sends.size(); ++s) {
      auto const& [peer, buffer, tag] =
          out_.emplace_back(steps.sends[s].peer, wire(wires_, steps.sends[s].wire), tags_out[s]);
      MPI_Request& request = sends_.add();
      if (!is_short(buffer))
        mpi::check(MPI_Send_init(buffer.data, buffer.size.count(), buffer.size.type(), peer, tag,
                                 context.native(), &request),
                   "MPI_Send_init");
    }
    for (std::size_t r = 0; r < steps.receives.size(); ++r) {
      wire const buffer(wires_, steps.receives[r].wire);
      mpi::check(MPI_Recv_init(buffer.data, buffer.size.count(), buffer.size.type(),
                               steps.receives[r].peer, tags_in_[r], context.native(),
                               &receives_.add()),
                 "MPI_Recv_init");
    }
  }

  void send(int step) override {
    wires_.pack(step);
    auto const& [peer, buffer, tag] = out_[static_cast<std::size_t>(step)];
    if (is_short(buffer))
      mpi::check(MPI_Isend(buffer.data, buffer.size.count(), buffer.size.type(), peer, tag,
                           context_.native(), sends_.at(step)),
                 "MPI_Isend");
    else
      mpi::check(MPI_Start(sends_.at(step)), "MPI_Start");
  }

private:
  static bool is_short(wire const& buffer) { return buffer.bytes <= longest_short_message; }

  /// The tags of steps, from `first` on: the k-th message with a peer has the k-th tag. [steps]
  template <class Step>
  static std::vector<int> tags_of(std::vector<Step> const& steps, int first) {
    message_numbers numbers;
    std::vector<int> tags = guards_of(steps);
    for (std::size_t s = 0; s < steps.size(); ++s)
      tags[s] = guarded(first + numbers.next(steps[s].peer), tags[s]);
    return tags;
  }

  void start_receives(int first, int last) override {
    if (first < last)
      mpi::check(MPI_Startall(last - first, receives_.at(first)), "MPI_Startall");
  }

  int expected_tag(int step) const override { return tags_in_[static_cast<std::size_t>(step)]; }

  std::vector<message> out_; ///< [send steps]
  std::vector<int> tags_in_; ///< [receive steps]
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

  void begin() override { tag_ = draw_tag_(); }

  void send(int step) override {
    wires_.pack(step);
    auto const& [peer, buffer, guard] = out_[static_cast<std::size_t>(step)];
    mpi::check(MPI_Isend(buffer.data, buffer.size.count(), buffer.size.type(), peer,
                         guarded(tag_, guard), context_.native(), sends_.at(step)),
               "MPI_Isend");
  }

private:
  template <class Step>
  void add_messages(std::vector<Step> const& steps, requests& to, std::vector<message>& messages) {
    auto const guards = guards_of(steps);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      to.add();
      messages.emplace_back(steps[s].peer, wire(wires_, steps[s].wire), guards[s]);
    }
  }

  void start_receives(int first, int last) override {
    for (int step = first; step < last; ++step) {
      auto const& [peer, buffer, guard] = in_[static_cast<std::size_t>(step)];
      mpi::check(MPI_Irecv(buffer.data, buffer.size.count(), buffer.size.type(), peer,
                           guarded(tag_, guard), context_.native(), receives_.at(step)),
                 "MPI_Irecv");
    }
  }

  int expected_tag(int step) const override {
    return guarded(tag_, in_[static_cast<std::size_t>(step)].tag_or_guard);
  }

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
  return std::make_unique<persistent_transport>(context, first_tag, steps, staging);
}

std::unique_ptr<transport> make_immediate_transport(mpi::comm_view context,
                                                    std::function<int()> draw_tag,
                                                    schedule const& steps, std::byte* staging) {
  return std::make_unique<immediate_transport>(context, std::move(draw_tag), steps, staging);
}

} // namespace seam
