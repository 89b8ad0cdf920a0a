#include <seam/exchange/transport/shared/mailbox_transport.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/transport/shared/mailboxes.hpp>
#include <seam/exchange/transport/shared/memory_transport.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace seam {
namespace {

/// The word of a line: the epoch, and the check of the lengths of its messages.
constexpr std::uint64_t word_of(std::uint64_t epoch, std::uint64_t check) {
  return epoch << 16 | check;
}

/// The messages that each epoch exchanges with one peer in one direction.
template <class End>
struct peer_plan {
  End* mailbox;
  std::uint64_t check;       ///< of the lengths of all
  bool has_lines;            ///< some messages lie in lines, of which the first contains the check
  bool has_room;             ///< some messages lie in a room
  bool goes_both_ways;       ///< there are messages in the other direction, too
  std::int64_t num_messages; ///< in the mailbox

  std::uint64_t word() const { return word_of(mailbox->run, check); }
};

/// Where the message of a step lies in the mailbox of its peer.
struct mailbox_message {
  std::size_t plan; ///< index of the peer's plan
  mailbox_place place;
};

/// The messages of a schedule in one direction.
template <class End>
struct direction {
  std::vector<peer_plan<End>> plans;
  std::vector<mailbox_message> messages; ///< [chosen steps]
  std::vector<bool> chosen;              ///< [steps]
};

template <class Step>
bool has_peer(std::vector<Step> const& steps, int peer) {
  return std::ranges::find(steps, peer, &Step::peer) != steps.end();
}

/// Plans the messages of `steps` in mailboxes; `others` are the steps of the other direction.
/// @param mailbox_of  returns the mailbox with a peer, or nullptr
template <class End, class Step, class Other, class Find>
direction<End> plan_direction(std::vector<Step> const& steps, std::vector<Other> const& others,
                              Find mailbox_of) {
  direction<End> made;
  made.chosen.resize(steps.size());
  std::map<int, std::vector<std::size_t>> peers2steps;
  for (std::size_t s = 0; s < steps.size(); ++s)
    peers2steps[steps[s].peer].push_back(s);
  std::map<std::size_t, mailbox_message> messages;
  for (auto const& [peer, list] : peers2steps) {
    End* const mailbox = mailbox_of(peer);
    if (mailbox == nullptr)
      continue;
    std::vector<std::int64_t> lengths;
    for (std::size_t s : list)
      lengths.push_back(steps[s].wire.bytes);
    auto const places = places_in_box(lengths, mailbox->layout.room_bytes);
    peer_plan<End> plan{mailbox, check_of(lengths), false, false, has_peer(others, peer), 0};
    for (std::size_t k = 0; k < list.size(); ++k)
      if (places[k].in != mailbox_place::part::nowhere) {
        made.chosen[list[k]] = true;
        messages[list[k]] = {made.plans.size(), places[k]};
        plan.has_lines = plan.has_lines || places[k].in == mailbox_place::part::lines;
        plan.has_room = plan.has_room || places[k].in == mailbox_place::part::room;
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
  std::shared_ptr<mailboxes> all;
  direction<outbox> out;
  direction<inbox> in;
};

class mailbox_transport final : public memory_transport<mailbox_transport> {
public:
  mailbox_transport(mpi::comm_view context, std::shared_ptr<route const> planned,
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
      ++plan.mailbox->run;
      plan.mailbox->room += plan.has_room ? 1 : 0;
      left_[k] = plan.num_messages;
      if (left_[k] == 0)
        finish(plan);
    }
  }

  void send(int step) override {
    auto const& [k, place] = route_->out.messages[step];
    auto const& plan = route_->out.plans[k];
    if (place.in == mailbox_place::part::lines)
      write(step, plan, place);
    else
      fill(step, *plan.mailbox, place);
  }

private:
  friend class memory_transport<mailbox_transport>;

  /// Begins an epoch. Returns the epoch that the receiver must have taken before the next one, of
  /// any kind, finds its places empty.
  static std::uint64_t begin(peer_plan<outbox> const& plan) {
    outbox& mailbox = *plan.mailbox;
    ++mailbox.run;
    if (!plan.goes_both_ways)
      mailbox.awaited = mailbox.run;
    if (!plan.has_lines)
      mailbox.layout.lines(mailbox.run).check.store(plan.word(), std::memory_order_release);
    constexpr std::uint64_t ahead = mailbox_layout::num_lines - 1;
    std::uint64_t const needed = mailbox.run - std::min(mailbox.run, ahead);
    if (!plan.has_room)
      return needed;
    ++mailbox.room;
    return std::max(needed, std::exchange(mailbox.run_of_room, mailbox.run));
  }

  void write(int step, peer_plan<outbox> const& plan, mailbox_place const& place) const {
    wires_.pack(step);
    wire_span const& wire = wires_.steps().sends[step].wire;
    write_lines(wires_.at(wire), wire.bytes,
                plan.mailbox->layout.lines(plan.mailbox->run).all + place.first, plan.word());
  }

  /// Packs a message into the room. Messages to one peer are sent in the order of their places.
  void fill(int step, outbox const& mailbox, mailbox_place const& place) const {
    shared_word& filled = mailbox.layout.filled(mailbox.room);
    wires_.pack_in_pieces(wires_.steps().sends[step],
                          mailbox.layout.room(mailbox.room) + place.first, [&](std::int64_t done) {
                            filled.store(filled_bytes::of(mailbox.run, place.first + done),
                                         std::memory_order_release);
                          });
  }

  bool take(std::size_t step) {
    auto const& [k, place] = route_->in.messages[step];
    auto const& plan = route_->in.plans[k];
    bool const done = place.in == mailbox_place::part::lines ? read(step, plan, place)
                                                             : follow(step, plan, place);
    if (done && --left_[k] == 0)
      finish(plan);
    return done;
  }

  bool read(std::size_t step, peer_plan<inbox> const& plan, mailbox_place const& place) {
    wire_span const& wire = wires_.steps().receives[step].wire;
    read_[step] = read_lines(plan.mailbox->layout.lines(plan.mailbox->run).all + place.first,
                             read_[step], wires_.at(wire), wire.bytes, plan.word());
    if (read_[step] < lines_of(wire.bytes))
      return false;
    wires_.unpack(static_cast<int>(step));
    return true;
  }

  bool follow(std::size_t step, peer_plan<inbox> const& plan, mailbox_place const& place) {
    inbox const& mailbox = *plan.mailbox;
    receive_step const& received = wires_.steps().receives[step];
    std::uint64_t const word = mailbox.layout.filled(mailbox.room).load(std::memory_order_acquire);
    std::int64_t const here = filled_bytes::bytes_in(word, mailbox.run) - place.first;
    if (here > 0 && read_[step] == 0)
      check_room(plan);
    read_[step] =
        wires_.follow(mailbox.layout.room(mailbox.room) + place.first, received,
                      std::clamp<std::int64_t>(here, 0, received.wire.bytes), read_[step]);
    return read_[step] == received.wire.bytes;
  }

  /// Notes that all messages of the epoch have been taken, unless a message back says so.
  static void finish(peer_plan<inbox> const& plan) {
    if (!plan.goes_both_ways)
      plan.mailbox->taken->store(plan.mailbox->run, std::memory_order_release);
  }

  /// True if the receiver has taken the epochs that must be taken before the next one. A message
  /// back says that it has taken all epochs but this one.
  bool has_left(std::size_t k) const {
    auto const& plan = route_->out.plans[k];
    outbox& mailbox = *plan.mailbox;
    if (plan.goes_both_ways)
      mailbox.known = mailbox.run - 1;
    else if (mailbox.known < needed_[k])
      mailbox.known = std::max(mailbox.known, mailbox.taken->load(std::memory_order_acquire));
    return mailbox.known >= needed_[k];
  }

  void has_looked_in_vain() const {
    if (is_time_for_others())
      for (auto const& plan : route_->in.plans)
        check_lengths(plan);
  }

  /// Refuses a room whose sender has noted another check. A sender without lines notes it before it
  /// fills the room; other senders write it into lines, for which this process waits, too.
  void check_room(peer_plan<inbox> const& plan) const {
    shared_word const& check = plan.mailbox->layout.lines(plan.mailbox->run).check;
    if (!plan.has_lines && check.load(std::memory_order_acquire) != plan.word()) [[unlikely]]
      refuse_lengths(plan);
  }

  /// Refuses an epoch whose first line or word `check` is of messages of other lengths.
  void check_lengths(peer_plan<inbox> const& plan) const {
    mailbox_layout const& mailbox = plan.mailbox->layout;
    std::uint64_t const epoch = plan.mailbox->run, expected = plan.word();
    auto& lines = mailbox.lines(epoch);
    for (shared_word const* written : {&lines.all[0].epoch, &lines.check}) {
      std::uint64_t const word = written->load(std::memory_order_acquire);
      if (word != expected && word_of(word >> 16, 0) == word_of(epoch, 0))
        refuse_lengths(plan);
    }
  }

  [[noreturn]] void refuse_lengths(peer_plan<inbox> const& plan) const {
    refuse(MPI_ERR_TRUNCATE,
           fmt::format("exchange: rank {} sends messages of other lengths to rank {} than are "
                       "expected there (expected the same at both ends)",
                       plan.mailbox->peer, context_.rank()));
  }

  std::shared_ptr<route const> route_;
  std::vector<std::uint64_t> needed_; ///< [plans out] the epoch that must have been taken
  std::vector<std::int64_t> left_;    ///< [plans in] messages that have not been taken
};

} // namespace

std::optional<carried_steps> steps_in_mailboxes(Communicator const& over, schedule const& steps) {
  auto const& all = mailboxes_of(over);
  if (all == nullptr)
    return std::nullopt;
  auto const planned = std::make_shared<route>(route{
      all,
      plan_direction<outbox>(steps.sends, steps.receives, [&](int peer) { return all->to(peer); }),
      plan_direction<inbox>(steps.receives, steps.sends,
                            [&](int peer) { return all->from(peer); })});
  return carried_steps{
      {planned->out.chosen, planned->in.chosen},
      [context = over.context(), planned](schedule const& some, std::byte* staging) {
        return std::make_unique<mailbox_transport>(context, planned, some, staging);
      }};
}

} // namespace seam
