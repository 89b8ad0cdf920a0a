#include <seam/exchange/transport/message/message.hpp>

#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/transport/wires.hpp>

#include <algorithm>
#include <map>
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
  request_transport(schedule const& steps, std::byte* staging)
      : wires_(steps, staging), arrived_(steps.receives.size()) {}

  std::span<int const> arrivals() override {
    if (receives_.size() == 0)
      return {};
    int count = 0;
    mpi::check(MPI_Testsome(receives_.size(), receives_.at(0), &count, arrived_.data(),
                            MPI_STATUSES_IGNORE),
               "MPI_Testsome");
    if (count == MPI_UNDEFINED)
      return {};
    auto const steps = std::span(arrived_).first(static_cast<std::size_t>(count));
    for (int step : steps)
      wires_.unpack(step);
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
  wires wires_;
  requests sends_, receives_;

private:
  std::vector<int> arrived_;
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
      : request_transport(steps, staging), context_(context) {
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

  mpi::comm_view context_;
  std::vector<message> messages_; ///< [send steps]
};

class immediate_transport final : public request_transport {
public:
  immediate_transport(mpi::comm_view context, std::function<int()> draw_tag, schedule const& steps,
                      std::byte* staging)
      : request_transport(steps, staging), context_(context), draw_tag_(std::move(draw_tag)) {
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
  mpi::comm_view context_;
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
