#include <seam/exchange/transport/message/message.hpp>

#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/transport/wires.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace seam {
namespace {

/// Where a step's bytes lie in memory, and their number as MPI wants it.
struct wire {
  wire(wires const& all, wire_span const& span)
      : data(all.at(span)), bytes(span.bytes), size(span.bytes) {}

  std::byte* data;
  std::int64_t bytes;
  mpi::large_count size;
};

/// A step's message.
struct message {
  message(int to_or_from, wire&& of_step, int its_tag)
      : peer(to_or_from), what(std::move(of_step)), tag(its_tag) {}

  int peer;
  wire what;
  int tag;
};

/// Requests in one array, as MPI's calls on many requests want them.
class requests {
public:
  requests() = default;
  requests(requests const&) = delete;
  requests& operator=(requests const&) = delete;
  ~requests() {
    if (mpi::is_running())
      for (MPI_Request& one : natives_)
        if (one != MPI_REQUEST_NULL)
          MPI_Request_free(&one);
  }

  MPI_Request& add() { return natives_.emplace_back(MPI_REQUEST_NULL); }
  int size() const { return static_cast<int>(natives_.size()); }
  MPI_Request* at(int i) { return natives_.data() + i; }

private:
  std::vector<MPI_Request> natives_;
};

/// What both kinds of message transport have in common: how requests complete.
class request_transport : public transport {
public:
  request_transport(mpi::comm_view context, schedule const& steps, std::byte* staging)
      : context_(context),
        wires_(steps, staging),
        arrived_(steps.receives.size()),
        statuses_(steps.receives.size()) {}

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
  mpi::comm_view context_;
  wires wires_;
  requests sends_, receives_;

private:
  receive_step const& step_at(int step) const {
    return wires_.steps().receives[static_cast<std::size_t>(step)];
  }

  /// Refuses a message that is shorter than what is expected: the rest would be what lay there.
  void check_length(int step, MPI_Status const& status) const {
    MPI_Count bytes = 0;
    mpi::check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
    if (bytes != step_at(step).wire.bytes) [[unlikely]]
      refuse_length(step);
  }

  /// One of `count` messages has not arrived as it should: of a longer one MPI says so.
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
  std::vector<MPI_Status> statuses_; ///< of those that have arrived
};

/// Numbers messages by the peer that they have in common.
class channels {
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

/// Keeps a request for each message but the short ones, which leave faster by MPI_Isend than by the
/// start of a persistent request.
class persistent_transport final : public request_transport {
public:
  persistent_transport(mpi::comm_view context, int first_tag, schedule const& steps,
                       std::byte* staging)
      : request_transport(context, steps, staging) {
    channels out, in;
    for (send_step const& step : steps.sends) {
      int const tag = first_tag + out.next(step.peer);
      auto const& [peer, what, _] = messages_.emplace_back(step.peer, wire(wires_, step.wire), tag);
      MPI_Request& request = sends_.add();
      if (!is_short(what))
        mpi::check(MPI_Send_init(what.data, what.size.count(), what.size.type(), peer, tag,
                                 context.native(), &request),
                   "MPI_Send_init");
    }
    for (receive_step const& step : steps.receives) {
      wire const what(wires_, step.wire);
      mpi::check(MPI_Recv_init(what.data, what.size.count(), what.size.type(), step.peer,
                               first_tag + in.next(step.peer), context.native(), &receives_.add()),
                 "MPI_Recv_init");
    }
  }

  void expect(int first, int last) override {
    if (first < last)
      mpi::check(MPI_Startall(last - first, receives_.at(first)), "MPI_Startall");
  }

  void send(int step) override {
    wires_.pack(step);
    auto const& [peer, what, tag] = messages_[static_cast<std::size_t>(step)];
    if (is_short(what))
      mpi::check(MPI_Isend(what.data, what.size.count(), what.size.type(), peer, tag,
                           context_.native(), sends_.at(step)),
                 "MPI_Isend");
    else
      mpi::check(MPI_Start(sends_.at(step)), "MPI_Start");
  }

private:
  static bool is_short(wire const& what) { return what.bytes <= longest_short_message; }

  std::vector<message> messages_; ///< [send steps]
};

class immediate_transport final : public request_transport {
public:
  immediate_transport(mpi::comm_view context, std::function<int()> draw_tag, schedule const& steps,
                      std::byte* staging)
      : request_transport(context, steps, staging), draw_tag_(std::move(draw_tag)) {
    for (send_step const& step : steps.sends) {
      sends_.add();
      out_.emplace_back(step.peer, wire(wires_, step.wire), 0);
    }
    for (receive_step const& step : steps.receives) {
      receives_.add();
      in_.emplace_back(step.peer, wire(wires_, step.wire), 0);
    }
  }

  void begin() override { tag_ = draw_tag_(); }

  void expect(int first, int last) override {
    for (int step = first; step < last; ++step) {
      auto const& [peer, what, _] = in_[static_cast<std::size_t>(step)];
      mpi::check(MPI_Irecv(what.data, what.size.count(), what.size.type(), peer, tag_,
                           context_.native(), receives_.at(step)),
                 "MPI_Irecv");
    }
  }

  void send(int step) override {
    wires_.pack(step);
    auto const& [peer, what, _] = out_[static_cast<std::size_t>(step)];
    mpi::check(MPI_Isend(what.data, what.size.count(), what.size.type(), peer, tag_,
                         context_.native(), sends_.at(step)),
               "MPI_Isend");
  }

private:
  std::function<int()> draw_tag_;
  std::vector<message> out_, in_;
  int tag_ = 0;
};

} // namespace

int num_channels(schedule const& steps) {
  channels out, in;
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
