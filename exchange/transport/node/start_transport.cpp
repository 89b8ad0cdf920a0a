#include <seam/exchange/transport/node/transports.hpp>

#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/transport/message/message.hpp>
#include <seam/exchange/transport/node/call_messages.hpp>
#include <seam/exchange/transport/node/start_links.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// The messages of one direction, the ends of links with their peers, and a start as these have
/// begun it.
template <class End>
struct started_direction {
  call_direction plan;
  std::vector<End*> ends;         ///< [plan.peers]
  std::vector<begun_call> starts; ///< [plan.peers]

  /// True if the message of `step` is sent by, or may come through, a link in this start.
  bool is_in_link(int step) const {
    auto const& [k, place] = plan.messages[step];
    return place.in != call_place::part::nowhere && starts[k].in_link;
  }
};

class start_transport final : public call_messages<start_transport> {
public:
  start_transport(std::shared_ptr<start_links> links, std::function<int()> draw_tag,
                  schedule const& steps, std::byte* staging)
      : call_messages(links->context(), steps, staging),
        links_(std::move(links)),
        draw_tag_(std::move(draw_tag)),
        by_messages_(make_immediate_transport(
            context_, [this] { return tag_; }, steps, staging)),
        out_(plan<start_sender>(steps.sends, steps.receives,
                                [&](int peer) { return links_->to(peer); })),
        in_(plan<start_receiver>(steps.receives, steps.sends,
                                 [&](int peer) { return links_->from(peer); })),
        left_(in_.ends.size()),
        is_turned_(in_.ends.size()),
        arrived_(steps.receives.size()) {}

  void begin() override {
    tag_ = draw_tag_();
    by_messages_->begin();
    start_looking(0);
    num_awaited_messages_ = 0;
    has_sent_messages_ = false;
    if (shared_memory_is_on())
      begin_epochs();
    else
      for (auto* const starts : {&out_.starts, &in_.starts})
        std::ranges::fill(*starts, begun_call{});
  }

  void expect(int first, int last) override {
    for (int step = first; step < last; ++step)
      if (in_.is_in_link(step))
        memory_transport::expect(step, step + 1);
      else
        await_message(step);
  }

  void send(int step) override {
    if (!out_.is_in_link(step)) {
      by_messages_->send(step);
      return has_sent_messages_.store(true, std::memory_order_relaxed);
    }
    auto const& [k, place] = out_.plan.messages[step];
    put(step, place, out_.plan.peers[k], out_.ends[k]->by(), out_.starts[k].epoch);
  }

  std::span<int const> arrivals() override {
    auto const by_link = memory_transport::arrivals();
    if (has_turned_)
      await_turned_messages();
    if (num_awaited_messages_ == 0)
      return by_link;
    auto const others = by_messages_->arrivals();
    num_awaited_messages_ -= std::ssize(others);
    std::ranges::copy(by_link, arrived_.begin());
    std::ranges::copy(others, arrived_.begin() + std::ssize(by_link));
    return std::span(arrived_).first(by_link.size() + others.size());
  }

  bool all_sent() override {
    bool const has_sent =
        !has_sent_messages_.load(std::memory_order_relaxed) || by_messages_->all_sent();
    return has_sent && have_met(out_) && have_met(in_);
  }

  /// What lies in links stays there, since nothing looks at it any more.
  void give_up() noexcept override {
    call_messages::give_up();
    by_messages_->give_up();
  }

private:
  friend class memory_transport<start_transport>;

  template <class End, class Step, class Other, class EndOf>
  static started_direction<End> plan(std::vector<Step> const& steps,
                                     std::vector<Other> const& others, EndOf end_of) {
    auto const room_of = [&](int peer) {
      return end_of(peer) != nullptr ? std::optional(room_of_starts) : std::nullopt;
    };
    started_direction<End> made{plan_direction(steps, others, room_of), {}, {}};
    for (peer_messages const& with : made.plan.peers)
      made.ends.push_back(end_of(with.peer));
    made.starts.resize(made.ends.size());
    keep_together(made.plan);
    return made;
  }

  /// Lets MPI send all messages of a peer if it sends one: it matches them by their order.
  static void keep_together(call_direction& plan) {
    for (call_message const& message : plan.messages)
      if (message.place.in == call_place::part::nowhere && message.k != call_message::no_link)
        plan.peers[message.k].num_messages = 0;
    for (call_message& message : plan.messages)
      if (message.k != call_message::no_link && plan.peers[message.k].num_messages == 0)
        message.place.in = call_place::part::nowhere;
    for (peer_messages& with : plan.peers)
      with.has_lines = with.num_messages > 0;
  }

  void begin_epochs() {
    for (int k = 0; k < std::ssize(out_.ends); ++k) {
      peer_messages const& to = out_.plan.peers[k];
      out_.starts[k] = out_.ends[k]->begin(context_, to, tag_);
      if (out_.starts[k].in_link)
        show(to, out_.ends[k]->by(), out_.starts[k].epoch);
    }
    for (int k = 0; k < std::ssize(in_.ends); ++k) {
      in_.starts[k] = in_.ends[k]->begin(context_, in_.plan.peers[k].peer, tag_);
      left_[k] = in_.plan.peers[k].num_messages;
    }
  }

  /// True once the first calls with all peers have sent, or received, their hellos.
  template <class End>
  static bool have_met(started_direction<End> const& with) {
    for (int k = 0; k < std::ssize(with.ends); ++k)
      if (with.starts[k].epoch == 1 && !with.ends[k]->test_hello())
        return false;
    return true;
  }

  void await_message(int step) {
    by_messages_->expect(step, step + 1);
    ++num_awaited_messages_;
  }

  bool is_turned(int step) const {
    int const k = in_.plan.messages[step].k;
    return k != call_message::no_link && is_turned_[k];
  }

  /// MPI's messages of one peer are awaited in the order in which it sends them.
  void await_turned_messages() {
    for (int step = 0; step < std::ssize(arrived_); ++step)
      if (is_turned(step) && forget(step))
        await_message(step);
    is_turned_.assign(is_turned_.size(), false);
    has_turned_ = false;
  }

  bool take(int step) {
    auto const& [k, place] = in_.plan.messages[step];
    std::uint64_t const epoch = in_.starts[k].epoch;
    start_receiver const& end = *in_.ends[k];
    if (get(step, place, in_.plan.peers[k], end.by(), epoch)) {
      if (--left_[k] == 0)
        end.note_taken(epoch);
      return true;
    }
    if (read_[step] == 0 && end.is_sent_by_messages(epoch))
      is_turned_[k] = has_turned_ = true;
    return false;
  }

  static bool has_left(int /*k*/) { return true; }

  void has_looked_in_vain() const {
    if (!looks_.is_time_for_others())
      return;
    for (int k = 0; k < std::ssize(in_.ends); ++k)
      if (in_.starts[k].in_link)
        check_lengths(in_.plan.peers[k], in_.ends[k]->by(), in_.starts[k].epoch);
  }

  std::shared_ptr<start_links> links_;
  std::function<int()> draw_tag_;
  std::unique_ptr<transport> by_messages_;
  started_direction<start_sender> out_;
  started_direction<start_receiver> in_;
  std::vector<std::int64_t> left_;        ///< [peers in] messages that have not been taken
  std::vector<bool> is_turned_;           ///< [peers in] their messages have turned out to be MPI's
  bool has_turned_ = false;               ///< some have
  std::vector<int> arrived_;              ///< memory of the result of arrivals()
  std::int64_t num_awaited_messages_ = 0; ///< of MPI
  std::atomic<bool> has_sent_messages_ = false;
  int tag_ = 0;
};

} // namespace

transport_maker starts_by_links(Communicator const& over) {
  if (!has_start_links(over))
    return nullptr;
  return [links = start_links_of(over), draw_tag = over.tags_of_starts()](schedule const& steps,
                                                                          std::byte* staging) {
    return std::make_unique<start_transport>(links, draw_tag, steps, staging);
  };
}

} // namespace seam::detail
