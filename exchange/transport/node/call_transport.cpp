#include <seam/exchange/transport/node/transports.hpp>

#include <seam/exchange/transport/node/call_links.hpp>
#include <seam/exchange/transport/node/call_messages.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace seam::detail {
namespace {

/// The messages of a schedule in one direction, and the ends of the links that they travel by.
template <class End>
struct direction {
  std::vector<peer_messages> peers;
  std::vector<End*> ends;             ///< [peers]
  std::vector<call_message> messages; ///< [chosen steps]
  std::vector<bool> chosen;           ///< [steps] true: the message has a place in a link
};

/// Plans the messages of `steps` in links; `others` are the steps of the other direction.
/// @param end_of  returns the end of the link with a peer, or nullptr
template <class End, class Step, class Other, class EndOf>
direction<End> plan_direction_of(std::vector<Step> const& steps, std::vector<Other> const& others,
                                 EndOf end_of) {
  auto const room_of = [&](int peer) -> std::optional<call_room> {
    End* const end = end_of(peer);
    if (end == nullptr)
      return std::nullopt;
    return call_room{lines_of_calls, end->by.slot_bytes};
  };
  auto [peers, messages] = plan_direction(steps, others, room_of);
  direction<End> made;
  for (peer_messages const& with : peers)
    made.ends.push_back(end_of(with.peer));
  for (call_message const& message : messages)
    made.chosen.push_back(message.place.in != call_place::part::nowhere);
  std::erase_if(messages, [](call_message const& message) {
    return message.place.in == call_place::part::nowhere;
  });
  made.peers = std::move(peers);
  made.messages = std::move(messages);
  return made;
}

/// The messages of a schedule in both directions.
struct route {
  std::shared_ptr<call_links> all;
  direction<call_sender> out;
  direction<call_receiver> in;
};

/// True if the receiver notes that it has taken an epoch: no message back says so, or the sender's
/// memory is needed until then.
bool needs_sign(peer_messages const& with) { return with.has_slot || !with.goes_both_ways; }

class call_transport final : public call_messages<call_transport> {
public:
  call_transport(mpi::comm_view context, std::shared_ptr<route const> planned,
                 std::function<int()> draw_tag, schedule const& steps, std::byte* staging)
      : call_messages(context, steps, staging),
        route_(std::move(planned)),
        draw_tag_(std::move(draw_tag)),
        needed_(route_->out.ends.size()),
        left_(route_->in.ends.size()) {}

  void begin() override {
    if (draw_tag_)
      draw_tag_();
    start_looking(needed_.size());
    for (int k = 0; k < std::ssize(needed_); ++k)
      needed_[k] = begin(route_->out.peers[k], *route_->out.ends[k]);
    for (int k = 0; k < std::ssize(left_); ++k) {
      peer_messages const& from = route_->in.peers[k];
      call_receiver& end = *route_->in.ends[k];
      ++end.epoch;
      left_[k] = from.num_messages;
      if (left_[k] == 0)
        finish(from, end);
    }
  }

  void send(int step) override {
    auto const& [k, place] = route_->out.messages[step];
    call_sender const& end = *route_->out.ends[k];
    put(step, place, route_->out.peers[k], end.by, end.epoch);
  }

private:
  friend class memory_transport<call_transport>;

  /// Begins an epoch. Returns the epoch that the receiver must have taken before the next one, of
  /// any kind, finds its places unused.
  static std::uint64_t begin(peer_messages const& to, call_sender& end) {
    ++end.epoch;
    if (needs_sign(to))
      end.by.awaited = end.epoch;
    show(to, end.by, end.epoch);
    if (to.has_slot)
      end.epochs_of_slots[end.by.slot_places.of(end.epoch)] = end.epoch;
    return std::max(end.by.line_places.needed_behind(end.epoch),
                    end.epochs_of_slots[end.by.slot_places.of(end.epoch + 1)]);
  }

  bool take(int step) {
    auto const& [k, place] = route_->in.messages[step];
    peer_messages const& from = route_->in.peers[k];
    call_receiver const& end = *route_->in.ends[k];
    bool const done = get(step, place, from, end.by, end.epoch);
    if (done && --left_[k] == 0)
      finish(from, end);
    return done;
  }

  /// Ends an epoch whose messages have all been taken.
  static void finish(peer_messages const& from, call_receiver const& end) {
    if (needs_sign(from))
      end.by.note_taken(end.epoch);
  }

  /// True if the receiver has taken the epochs that must be taken before the next one. A message
  /// back says that it has taken all epochs but this one.
  bool has_left(int k) const {
    call_sender& end = *route_->out.ends[k];
    if (route_->out.peers[k].goes_both_ways)
      end.by.known = end.epoch - 1;
    return end.by.has_taken(needed_[k]);
  }

  void has_looked_in_vain() const {
    if (looks_.is_time_for_others())
      for (int k = 0; k < std::ssize(left_); ++k)
        check_lengths(route_->in.peers[k], route_->in.ends[k]->by, route_->in.ends[k]->epoch);
  }

  std::shared_ptr<route const> route_;
  std::function<int()> draw_tag_;     ///< empty if messages of MPI carry some of the steps
  std::vector<std::uint64_t> needed_; ///< [peers out] the epoch that must have been taken
  std::vector<std::int64_t> left_;    ///< [peers in] messages that have not been taken
};

} // namespace

std::optional<carried_steps> steps_by_call_links(Communicator const& over, schedule const& steps) {
  auto const& all = call_links_of(over);
  if (all == nullptr)
    return std::nullopt;
  auto const planned = std::make_shared<route>(
      route{all,
            plan_direction_of<call_sender>(steps.sends, steps.receives,
                                           [&](int peer) { return all->to(peer); }),
            plan_direction_of<call_receiver>(steps.receives, steps.sends,
                                             [&](int peer) { return all->from(peer); })});
  step_choice chosen{planned->out.chosen, planned->in.chosen};
  auto const draw_tag = has_all(chosen) ? over.tags_of_starts() : std::function<int()>();
  return carried_steps{
      std::move(chosen),
      [context = over.context(), planned, draw_tag](schedule const& some, std::byte* staging) {
        return std::make_unique<call_transport>(context, planned, draw_tag, some, staging);
      }};
}

} // namespace seam::detail
