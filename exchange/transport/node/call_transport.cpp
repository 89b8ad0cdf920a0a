#include <seam/exchange/transport/node/call_transport.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/transport/node/call_links.hpp>
#include <seam/exchange/transport/node/memory_transport.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace seam::detail {
namespace {

/// The mark of a line: the epoch, and the check of the lengths of its messages.
constexpr std::uint64_t word_of(std::uint64_t epoch, std::uint64_t check) {
  return epoch << 16 | check;
}

/// The messages that each epoch exchanges with one peer in one direction.
template <class End>
struct peer_plan {
  End* end;
  std::uint64_t check;           ///< of the lengths of all
  bool has_lines = false;        ///< some messages lie in lines, of which the first has the check
  bool has_slot = false;         ///< some messages lie in a slot
  bool goes_both_ways;           ///< there are messages in the other direction, too
  std::int64_t num_messages = 0; ///< in the link

  /// True if the receiver notes that it has taken an epoch: no message back says so, or the
  /// sender's memory is needed until then.
  bool needs_sign() const { return has_slot || !goes_both_ways; }

  std::uint64_t word() const { return word_of(end->epoch, check); }
  line* lines() const { return end->by.lines_in(end->epoch); }
};

/// Where the message of a step lies in the link with its peer.
struct call_message {
  std::size_t plan; ///< index of the peer's plan
  call_place place;
};

/// The messages of a schedule in one direction.
template <class End>
struct direction {
  std::vector<peer_plan<End>> plans;
  std::vector<call_message> messages; ///< [chosen steps]
  std::vector<bool> chosen;           ///< [steps]
};

template <class Step>
bool has_peer(std::vector<Step> const& steps, int peer) {
  return std::ranges::find(steps, peer, &Step::peer) != steps.end();
}

/// Plans the messages of `steps` in links; `others` are the steps of the other direction.
/// @param end_of  returns the end of the link with a peer, or nullptr
template <class End, class Step, class Other, class Find>
direction<End> plan_direction(std::vector<Step> const& steps, std::vector<Other> const& others,
                              Find end_of) {
  direction<End> made;
  made.chosen.resize(steps.size());
  std::map<int, std::vector<std::size_t>> peers2steps;
  for (std::size_t s = 0; s < steps.size(); ++s)
    peers2steps[steps[s].peer].push_back(s);
  std::map<std::size_t, call_message> messages;
  for (auto const& [peer, list] : peers2steps) {
    End* const end = end_of(peer);
    if (end == nullptr)
      continue;
    std::vector<std::int64_t> lengths;
    for (std::size_t s : list)
      lengths.push_back(steps[s].wire.bytes);
    auto const found = places_in_link(lengths, end->by.slot_bytes);
    peer_plan<End> plan{
        .end = end, .check = check_of(lengths), .goes_both_ways = has_peer(others, peer)};
    for (std::size_t k = 0; k < list.size(); ++k)
      if (found[k].in != call_place::part::nowhere) {
        made.chosen[list[k]] = true;
        messages[list[k]] = {made.plans.size(), found[k]};
        plan.has_lines = plan.has_lines || found[k].in == call_place::part::lines;
        plan.has_slot = plan.has_slot || found[k].in == call_place::part::slot;
        ++plan.num_messages;
      }
    made.plans.push_back(plan);
  }
  for (auto const& [step, message] : messages)
    made.messages.push_back(message);
  return made;
}

/// The messages of a schedule in both directions.
struct route {
  std::shared_ptr<call_links> all;
  direction<call_sender> out;
  direction<call_receiver> in;
};

class call_transport final : public memory_transport<call_transport> {
public:
  call_transport(mpi::comm_view context, std::shared_ptr<route const> planned,
                 schedule const& steps, std::byte* staging)
      : memory_transport(context, steps, staging),
        route_(std::move(planned)),
        needed_(route_->out.plans.size()),
        left_(route_->in.plans.size()) {}

  void begin() override {
    start_looking(route_->out.plans.size());
    for (std::size_t k = 0; k < needed_.size(); ++k)
      needed_[k] = begin(route_->out.plans[k]);
    for (std::size_t k = 0; k < left_.size(); ++k) {
      auto const& plan = route_->in.plans[k];
      ++plan.end->epoch;
      left_[k] = plan.num_messages;
      if (left_[k] == 0)
        finish(plan);
    }
  }

  /// Messages to one peer are sent in the order of their places.
  void send(int step) override {
    auto const& [k, place] = route_->out.messages[step];
    auto const& plan = route_->out.plans[k];
    auto const s = static_cast<std::size_t>(step);
    if (place.in == call_place::part::lines)
      write(s, plan.lines() + place.first, plan.word());
    else
      pack_in_slot(s, plan.end->by, plan.end->epoch, place.first);
  }

private:
  friend class memory_transport<call_transport>;

  /// Begins an epoch. Returns the epoch that the receiver must have taken before the next one, of
  /// any kind, finds its places unused.
  static std::uint64_t begin(peer_plan<call_sender> const& plan) {
    call_sender& end = *plan.end;
    ++end.epoch;
    if (plan.needs_sign())
      end.by.awaited = end.epoch;
    if (!plan.has_lines)
      plan.lines()->epoch.store(plan.word(), std::memory_order_release);
    if (plan.has_slot)
      end.epochs_of_slots[end.by.slot_places.of(end.epoch)] = end.epoch;
    return std::max(end.by.line_places.needed_behind(end.epoch),
                    end.epochs_of_slots[end.by.slot_places.of(end.epoch + 1)]);
  }

  bool take(std::size_t step) {
    auto const& [k, place] = route_->in.messages[step];
    auto const& plan = route_->in.plans[k];
    bool const done = place.in == call_place::part::lines
                          ? read(step, plan.lines() + place.first, plan.word())
                          : follow_in_slot(step, plan, place.first);
    if (done && --left_[k] == 0)
      finish(plan);
    return done;
  }

  bool follow_in_slot(std::size_t step, peer_plan<call_receiver> const& plan, std::int64_t first) {
    std::int64_t const here = packed_in_slot(plan) - first;
    return follow(step, plan.end->by.slot_in(plan.end->epoch) + first,
                  std::clamp<std::int64_t>(here, 0, wires_.steps().receives[step].wire.bytes));
  }

  /// The bytes in the slot, once the first line has the mark of this epoch: a sender without short
  /// messages writes it before it fills the slot, others with a message for which this process
  /// waits, too.
  std::int64_t packed_in_slot(peer_plan<call_receiver> const& plan) const {
    if (plan.lines()->epoch.load(std::memory_order_acquire) == plan.word())
      return plan.end->by.packed(plan.end->epoch);
    check_lengths(plan);
    return 0;
  }

  /// Ends an epoch whose messages have all been taken.
  static void finish(peer_plan<call_receiver> const& plan) {
    if (plan.needs_sign())
      plan.end->by.note_taken(plan.end->epoch);
  }

  /// True if the receiver has taken the epochs that must be taken before the next one. A message
  /// back says that it has taken all epochs but this one.
  bool has_left(std::size_t k) const {
    auto const& plan = route_->out.plans[k];
    if (plan.goes_both_ways)
      plan.end->by.known = plan.end->epoch - 1;
    return plan.end->by.has_taken(needed_[k]);
  }

  void has_looked_in_vain() const {
    if (looks_.is_time_for_others())
      for (auto const& plan : route_->in.plans)
        check_lengths(plan);
  }

  /// Refuses an epoch whose first line is of messages of other lengths.
  void check_lengths(peer_plan<call_receiver> const& plan) const {
    std::uint64_t const word = plan.lines()->epoch.load(std::memory_order_acquire);
    if (word != plan.word() && word >> 16 == plan.end->epoch)
      refuse_lengths(plan);
  }

  [[noreturn]] void refuse_lengths(peer_plan<call_receiver> const& plan) const {
    refuse(MPI_ERR_TRUNCATE,
           fmt::format("exchange: rank {} sends messages of other lengths to rank {} than are "
                       "expected there (expected the same at both ends)",
                       plan.end->peer, context_.rank()));
  }

  std::shared_ptr<route const> route_;
  std::vector<std::uint64_t> needed_; ///< [plans out] the epoch that must have been taken
  std::vector<std::int64_t> left_;    ///< [plans in] messages that have not been taken
};

} // namespace

std::optional<carried_steps> steps_by_call_links(Communicator const& over, schedule const& steps) {
  auto const& all = call_links_of(over);
  if (all == nullptr)
    return std::nullopt;
  auto const planned = std::make_shared<route>(
      route{all,
            plan_direction<call_sender>(steps.sends, steps.receives,
                                        [&](int peer) { return all->to(peer); }),
            plan_direction<call_receiver>(steps.receives, steps.sends,
                                          [&](int peer) { return all->from(peer); })});
  return carried_steps{
      {planned->out.chosen, planned->in.chosen},
      [context = over.context(), planned](schedule const& some, std::byte* staging) {
        return std::make_unique<call_transport>(context, planned, some, staging);
      }};
}

} // namespace seam::detail
