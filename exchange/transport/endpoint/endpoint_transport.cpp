#include <seam/exchange/transport/endpoint/endpoint_transport.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/transport/wires.hpp>

#include <sched.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// A number of transfers that stay where they are.
using transfers = std::unique_ptr<mpi::transfer[]>;

transfers make_transfers(std::ptrdiff_t count) {
  auto made = std::make_unique<mpi::transfer[]>(count);
  for (std::ptrdiff_t k = 0; k < count; ++k)
    made[k].finish();
  return made;
}

/// Keeps transfers of failed operations, which a peer may still write to.
void keep_for_ever(transfers left) {
  static_cast<void>(left.release()); // NOLINT(bugprone-unused-return-value)
}

/// A receive of an operation that has failed, with memory of its own.
struct kept_receive {
  std::vector<std::byte> room;
  mpi::transfer message;
};

/// Receives a message that may still come, so that its sender goes on.
void receive_later(mpi::context& over, int peer, int tag, std::int64_t bytes) {
  static std::mutex keeping;
  static auto* const all = new std::list<kept_receive>;
  std::scoped_lock const lock(keeping);
  std::erase_if(*all, [](kept_receive const& each) { return each.message.is_done(); });
  kept_receive& made = all->emplace_back();
  made.room.resize(bytes);
  made.message.data = made.room.data();
  made.message.bytes = bytes;
  made.message.peer = peer;
  made.message.tag = tag;
  over.receive(made.message);
}

class endpoint_transport final : public transport {
public:
  endpoint_transport(mpi::context& over, std::function<int()> draw_tag, tags_of_steps tags,
                     schedule const& steps, std::byte* staging)
      : over_(over.shared_from_this()),
        draw_tag_(std::move(draw_tag)),
        tags_(std::move(tags)),
        wires_(steps, staging),
        sends_(make_transfers(std::ssize(steps.sends))),
        receives_(make_transfers(std::ssize(steps.receives))) {
    expected_.reserve(steps.receives.size());
    arrived_.reserve(steps.receives.size());
  }

  ~endpoint_transport() override {
    for (int const step : expected_)
      end_receive(receives_[step]);
    if (!all_sent())
      keep_for_ever(std::move(sends_));
  }

  void begin() override { tag_ = draw_tag_(); }

  void expect(int first, int last) override {
    for (int step = first; step < last; ++step) {
      receive_step const& expected = wires_.steps().receives[step];
      auto& receive = receives_[step];
      aim(receive, expected.wire, expected.peer, tag_of(tags_.receives, step));
      expected_.push_back(step);
      over_->receive(receive);
    }
  }

  void send(int step) override {
    wires_.pack(step);
    send_step const& sent = wires_.steps().sends[step];
    auto& message = sends_[step];
    aim(message, sent.wire, sent.peer, tag_of(tags_.sends, step));
    over_->send(message);
  }

  std::span<int const> arrivals() override {
    arrived_.clear();
    if (expected_.empty())
      return arrived_;
    look_for_arrivals();
    if (arrived_.empty()) {
      over_->progress();
      look_for_arrivals();
    }
    for (int const step : arrived_)
      take(step);
    return arrived_;
  }

  bool all_sent() override {
    std::ptrdiff_t const count = std::ssize(wires_.steps().sends);
    if (std::all_of(sends_.get(), sends_.get() + count,
                    std::mem_fn(&mpi::transfer::is_done_with_help)))
      return true;
    over_->progress();
    return false;
  }

  /// Messages that come later go to memory of their own.
  void give_up() noexcept override {
    for (int const step : std::exchange(expected_, {})) {
      end_receive(receives_[step]);
      if (receives_[step].is_cancelled)
        receive_later(*over_, wires_.steps().receives[step].peer, tag_of(tags_.receives, step),
                      wires_.steps().receives[step].wire.bytes);
    }
  }

private:
  /// Moves the steps whose messages have come from `expected_` to `arrived_`.
  void look_for_arrivals() {
    std::erase_if(expected_, [this](int step) {
      bool const has_come = receives_[step].is_done_with_help();
      if (has_come)
        arrived_.push_back(step);
      return has_come;
    });
  }

  /// Describes the message of a step to its transfer.
  void aim(mpi::transfer& message, wire_span const& wire, int peer, int tag) {
    message.restart();
    message.data = wires_.at(wire);
    message.bytes = wire.bytes;
    message.peer = peer;
    message.tag = tag;
  }

  int tag_of(std::vector<int> const& tags, int step) const {
    return tags.empty() ? tag_ : tag_ + tags[step];
  }

  void take(int step) {
    receive_step const& expected = wires_.steps().receives[step];
    auto const& received = receives_[step];
    if (received.bytes != expected.wire.bytes) [[unlikely]]
      refuse(MPI_ERR_TRUNCATE,
             fmt::format("exchange: rank {} sends a message of {} bytes to rank {}, which expects "
                         "{} there (expected the same at both ends)",
                         expected.peer, received.bytes, over_->rank(), expected.wire.bytes));
    wires_.unpack(step);
  }

  /// Ends a receive of an operation that has failed: its message may be on its way.
  void end_receive(mpi::transfer& receive) {
    if (!over_->cancel(receive))
      while (!receive.is_done()) {
        over_->progress();
        sched_yield();
      }
  }

  std::shared_ptr<mpi::context> over_;
  std::function<int()> draw_tag_;
  tags_of_steps tags_;
  wires wires_;
  transfers sends_, receives_;
  std::vector<int> expected_, arrived_; ///< receive steps under way, and those of the last look
  int tag_ = 0;
};

} // namespace

std::unique_ptr<transport> make_endpoint_transport(mpi::context& over,
                                                   std::function<int()> draw_tag,
                                                   tags_of_steps tags, schedule const& steps,
                                                   std::byte* staging) {
  return std::make_unique<endpoint_transport>(over, std::move(draw_tag), std::move(tags), steps,
                                              staging);
}

} // namespace seam::detail
