#include <seam/exchange/transport/message/message.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace seam {
namespace {

/// Persistent requests in one array, as MPI's calls on many requests want them.
class requests {
public:
  requests() = default;
  requests(requests const&) = delete;
  requests& operator=(requests const&) = delete;
  ~requests() {
    if (mpi::is_running())
      for (MPI_Request& one : natives_)
        MPI_Request_free(&one);
  }

  MPI_Request& add() { return natives_.emplace_back(MPI_REQUEST_NULL); }
  int size() const { return static_cast<int>(natives_.size()); }
  MPI_Request* at(int i) { return natives_.data() + i; }

private:
  std::vector<MPI_Request> natives_;
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

class message_transport final : public transport {
public:
  message_transport(mpi::comm_view context, int first_tag, schedule const& steps,
                    std::byte* staging)
      : arrived_(steps.receives.size()) {
    channels out, in;
    auto const at = [&](wire_span const& wire) {
      return wire.direct != nullptr ? wire.direct : staging + wire.offset;
    };
    for (send_step const& step : steps.sends)
      mpi::check(MPI_Send_init(at(step.wire), mpi::narrow(step.wire.bytes, "message"), MPI_BYTE,
                               step.peer, first_tag + out.next(step.peer), context.native(),
                               &sends_.add()),
                 "MPI_Send_init");
    for (receive_step const& step : steps.receives)
      mpi::check(MPI_Recv_init(at(step.wire), mpi::narrow(step.wire.bytes, "message"), MPI_BYTE,
                               step.peer, first_tag + in.next(step.peer), context.native(),
                               &receives_.add()),
                 "MPI_Recv_init");
  }

  void expect(int first, int last) override {
    if (first < last)
      mpi::check(MPI_Startall(last - first, receives_.at(first)), "MPI_Startall");
  }

  void send(int step) override { mpi::check(MPI_Start(sends_.at(step)), "MPI_Start"); }

  std::span<int const> arrivals() override {
    if (receives_.size() == 0)
      return {};
    int count = 0;
    mpi::check(MPI_Testsome(receives_.size(), receives_.at(0), &count, arrived_.data(),
                            MPI_STATUSES_IGNORE),
               "MPI_Testsome");
    return std::span(arrived_).first(count == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(count));
  }

  bool all_sent() override {
    int done = 0;
    mpi::check(MPI_Testall(sends_.size(), sends_.at(0), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    return done != 0;
  }

private:
  requests sends_, receives_;
  std::vector<int> arrived_;
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
  return std::make_unique<message_transport>(context, first_tag, steps, staging);
}

} // namespace seam
