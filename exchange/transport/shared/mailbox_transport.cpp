#include <seam/exchange/transport/shared/mailbox_transport.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/transport/shared/memory_transport.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace seam {
namespace {

/// What an epoch of a line says: the run, and what it is made of.
constexpr std::uint64_t word_of(std::uint64_t run, std::uint64_t check) {
  return run << 16 | check;
}

/// The messages of a run with one peer, as the schedule knows them beforehand.
template <class Box>
struct run_plan {
  Box* mailbox;
  std::uint64_t check;    ///< of the lengths of all
  bool has_lines;         ///< the first line tells of the check
  bool has_room;          ///< some messages lie in a room
  bool goes_both_ways;    ///< there are messages in the other direction, too
  std::int64_t num_boxed; ///< not by MPI

  std::uint64_t word() const { return word_of(mailbox->run, check); }
};

/// Where the message of a step lies in the run with its peer.
struct mailbox_message {
  std::size_t run;
  mailbox_place place;
};

/// The runs of a schedule in one direction.
template <class Box>
struct direction {
  std::vector<run_plan<Box>> runs;
  std::vector<mailbox_message> messages; ///< of the steps that are chosen
  std::vector<bool> chosen;              ///< [steps]
};

template <class Step>
bool has_peer(std::vector<Step> const& steps, int peer) {
  return std::ranges::find(steps, peer, &Step::peer) != steps.end();
}

/// @param mailbox_of  the mailbox with a peer, or nullptr
template <class Box, class Step, class Other, class Find>
direction<Box> plan_direction(std::vector<Step> const& steps, std::vector<Other> const& others,
                              Find mailbox_of) {
  direction<Box> made;
  made.chosen.resize(steps.size());
  std::map<int, std::vector<std::size_t>> peers2steps;
  for (std::size_t s = 0; s < steps.size(); ++s)
    peers2steps[steps[s].peer].push_back(s);
  std::map<std::size_t, mailbox_message> messages;
  for (auto const& [peer, list] : peers2steps) {
    Box* const mailbox = mailbox_of(peer);
    if (mailbox == nullptr)
      continue;
    std::vector<std::int64_t> lengths;
    for (std::size_t s : list)
      lengths.push_back(steps[s].wire.bytes);
    auto const places = places_in_box(lengths, mailbox->layout.room_bytes);
    run_plan<Box> run{mailbox, check_of(lengths), false, false, has_peer(others, peer), 0};
    for (std::size_t k = 0; k < list.size(); ++k)
      if (places[k].in != mailbox_place::part::nowhere) {
        made.chosen[list[k]] = true;
        messages[list[k]] = {made.runs.size(), places[k]};
        run.has_lines = run.has_lines || places[k].in == mailbox_place::part::lines;
        run.has_room = run.has_room || places[k].in == mailbox_place::part::room;
        ++run.num_boxed;
      }
    made.runs.push_back(run);
  }
  for (auto const& [step, message] : messages)
    made.messages.push_back(message);
  return made;
}

/// Both directions.
struct route {
  std::shared_ptr<mailboxes> all;
  direction<outbox> out;
  direction<inbox> in;
};

class mailbox_transport final : public memory_transport<mailbox_transport> {
public:
  mailbox_transport(mpi::comm_view context, std::shared_ptr<route const> way, schedule const& steps,
                    std::byte* staging)
      : memory_transport(context, steps, staging),
        way_(std::move(way)),
        needed_(way_->out.runs.size()),
        left_(way_->in.runs.size()) {}

  void begin() override {
    start_looking(way_->out.runs.size());
    for (std::size_t k = 0; k < needed_.size(); ++k)
      needed_[k] = begin(way_->out.runs[k]);
    for (std::size_t k = 0; k < left_.size(); ++k) {
      auto const& run = way_->in.runs[k];
      ++run.mailbox->run;
      run.mailbox->room += run.has_room ? 1 : 0;
      left_[k] = run.num_boxed;
      if (left_[k] == 0)
        finish(run);
    }
  }

  void send(int step) override {
    auto const& [k, place] = way_->out.messages[static_cast<std::size_t>(step)];
    auto const& run = way_->out.runs[k];
    if (place.in == mailbox_place::part::lines)
      write(step, run, place);
    else
      fill(step, *run.mailbox, place);
  }

private:
  friend class memory_transport<mailbox_transport>;

  /// Returns the run that must have been taken before another one of any kind finds its places
  /// empty.
  static std::uint64_t begin(run_plan<outbox> const& run) {
    outbox& mailbox = *run.mailbox;
    ++mailbox.run;
    if (!run.goes_both_ways)
      mailbox.awaited = mailbox.run;
    if (!run.has_lines)
      mailbox.layout.lines(mailbox.run).check.store(run.word(), std::memory_order_release);
    constexpr std::uint64_t ahead = mailbox_layout::num_lines - 1;
    std::uint64_t const needed = mailbox.run - std::min(mailbox.run, ahead);
    if (!run.has_room)
      return needed;
    ++mailbox.room;
    return std::max(needed, std::exchange(mailbox.run_of_room, mailbox.run));
  }

  void write(int step, run_plan<outbox> const& run, mailbox_place const& place) const {
    wires_.pack(step);
    wire_span const& wire = wires_.steps().sends[static_cast<std::size_t>(step)].wire;
    write_lines(wires_.at(wire), wire.bytes,
                run.mailbox->layout.lines(run.mailbox->run).all + place.first, run.word());
  }

  /// Messages to one peer are sent in the order of their places.
  void fill(int step, outbox const& mailbox, mailbox_place const& place) const {
    shared_word& filled = mailbox.layout.filled(mailbox.room);
    wires_.pack_in_pieces(wires_.steps().sends[static_cast<std::size_t>(step)],
                          mailbox.layout.room(mailbox.room) + place.first, [&](std::int64_t done) {
                            filled.store(filled_bytes::of(mailbox.run, place.first + done),
                                         std::memory_order_release);
                          });
  }

  bool take(std::size_t step) {
    auto const& [k, place] = way_->in.messages[step];
    auto const& run = way_->in.runs[k];
    bool const done =
        place.in == mailbox_place::part::lines ? read(step, run, place) : follow(step, run, place);
    if (done && --left_[k] == 0)
      finish(run);
    return done;
  }

  bool read(std::size_t step, run_plan<inbox> const& run, mailbox_place const& place) {
    wire_span const& wire = wires_.steps().receives[step].wire;
    read_[step] = read_lines(run.mailbox->layout.lines(run.mailbox->run).all + place.first,
                             read_[step], wires_.at(wire), wire.bytes, run.word());
    if (read_[step] < lines_of(wire.bytes))
      return false;
    wires_.unpack(static_cast<int>(step));
    return true;
  }

  bool follow(std::size_t step, run_plan<inbox> const& run, mailbox_place const& place) {
    inbox const& mailbox = *run.mailbox;
    receive_step const& what = wires_.steps().receives[step];
    std::uint64_t const word = mailbox.layout.filled(mailbox.room).load(std::memory_order_acquire);
    std::int64_t const here = filled_bytes::bytes_in(word, mailbox.run) - place.first;
    if (here > 0 && read_[step] == 0)
      check_room(run);
    read_[step] = wires_.follow(mailbox.layout.room(mailbox.room) + place.first, what,
                                std::clamp<std::int64_t>(here, 0, what.wire.bytes), read_[step]);
    return read_[step] == what.wire.bytes;
  }

  /// Everything of a run has been taken. A message back says so, too.
  static void finish(run_plan<inbox> const& run) {
    if (!run.goes_both_ways)
      run.mailbox->taken->store(run.mailbox->run, std::memory_order_release);
  }

  /// Whether the receiver has taken what has to be for the next run. A message back says that it
  /// has taken all runs but this one.
  bool has_left(std::size_t k) const {
    auto const& run = way_->out.runs[k];
    outbox& mailbox = *run.mailbox;
    if (run.goes_both_ways)
      mailbox.known = mailbox.run - 1;
    else if (mailbox.known < needed_[k])
      mailbox.known = std::max(mailbox.known, mailbox.taken->load(std::memory_order_acquire));
    return mailbox.known >= needed_[k];
  }

  void has_looked_in_vain() const {
    if (is_time_for_others())
      for (auto const& run : way_->in.runs)
        check_lengths(run);
  }

  /// A sender without lines has said what its run is made of before it has filled the room; one
  /// with lines says so in them, and then there are lines to wait for here, too.
  void check_room(run_plan<inbox> const& run) const {
    shared_word const& said = run.mailbox->layout.lines(run.mailbox->run).check;
    if (!run.has_lines && said.load(std::memory_order_acquire) != run.word()) [[unlikely]]
      refuse_lengths(run);
  }

  /// Whoever sends other messages than are expected says so, in the first line or the head.
  void check_lengths(run_plan<inbox> const& run) const {
    mailbox_layout const& mailbox = run.mailbox->layout;
    std::uint64_t const now = run.mailbox->run, expected = run.word();
    for (shared_word const* said : {&mailbox.lines(now).all[0].epoch, &mailbox.lines(now).check}) {
      std::uint64_t const word = said->load(std::memory_order_acquire);
      if (word != expected && word_of(word >> 16, 0) == word_of(now, 0))
        refuse_lengths(run);
    }
  }

  [[noreturn]] void refuse_lengths(run_plan<inbox> const& run) const {
    refuse(MPI_ERR_TRUNCATE,
           fmt::format("exchange: rank {} sends messages of other lengths to rank {} than are "
                       "expected there (expected the same at both ends)",
                       run.mailbox->peer, context_.rank()));
  }

  std::shared_ptr<route const> way_;
  std::vector<std::uint64_t> needed_; ///< [runs from here] the run that must have been taken
  std::vector<std::int64_t> left_;    ///< [runs to here] messages that have not been taken
};

} // namespace

mailbox_steps through_mailboxes(mpi::comm_view context, std::shared_ptr<mailboxes> const& all,
                                schedule const& steps) {
  auto const way = std::make_shared<route>(route{
      all,
      plan_direction<outbox>(steps.sends, steps.receives, [&](int peer) { return all->to(peer); }),
      plan_direction<inbox>(steps.receives, steps.sends,
                            [&](int peer) { return all->from(peer); })});
  return {{way->out.chosen, way->in.chosen},
          [context, way](schedule const& some, std::byte* staging) {
            return std::make_unique<mailbox_transport>(context, way, some, staging);
          }};
}

} // namespace seam
