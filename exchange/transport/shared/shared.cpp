#include <seam/exchange/transport/shared/shared.hpp>

#include <seam/exchange/communicator/shared_arena.hpp>
#include <seam/exchange/ground/prefetch.hpp>
#include <seam/exchange/schedule/pack.hpp>
#include <seam/exchange/transport/shared/epoch_bytes.hpp>
#include <seam/exchange/transport/shared/memory_transport.hpp>

#include <algorithm>

namespace seam {
namespace {

/// How a message of an epoch is offered. The end that claims a lent message first handles it: the
/// receiver reads the sources, or the sender packs them.
enum class offer : std::uint64_t { lent, taking, withdrawn, packed };

constexpr std::uint64_t word_of(std::uint64_t epoch, offer how) {
  return epoch << 2 | static_cast<std::uint64_t>(how);
}

/// How many bytes of a message that is not lent have been packed: its receiver follows. The last
/// bits of the epoch are enough, since the next epoch but one overwrites the word.
using packed_bytes = epoch_bytes<40>;

/// True if a receiver copies a lent message block by block, since the blocks of both ends are
/// equally long; otherwise it packs the sources on the wire first.
bool match_in_pairs(std::vector<block> const& sources, std::span<target const> targets) {
  if (sources.size() != targets.size())
    return false;
  for (std::size_t k = 0; k < sources.size(); ++k)
    if (sources[k].bytes() != targets[k].where.bytes())
      return false;
  return true;
}

class shared_transport final : public memory_transport<shared_transport> {
public:
  shared_transport(mpi::comm_view context, std::shared_ptr<channels const> ends,
                   schedule const& steps, std::byte* staging)
      : memory_transport(context, steps, staging),
        ends_(std::move(ends)),
        known_taken_(ends_->sends.size()) {
    for (std::size_t r = 0; r < steps.receives.size(); ++r) {
      receive_step const& step = steps.receives[r];
      in_pairs_.push_back(step.wire.direct == nullptr &&
                          match_in_pairs(ends_->receives[r].lent, steps.targets_of(step.targets)));
    }
  }

  /// A receiver may be an epoch behind, and needs this process's memory until it has caught up.
  ~shared_transport() override {
    if (!ends_->sends.empty())
      free_when(ends_->memory,
                [ends = ends_, last = epoch_] { return has_been_taken(*ends, last); });
  }

  void begin() override {
    ++epoch_;
    start_looking(ends_->sends.size());
    next_to_fetch_ = 0;
    next_line_ = 0;
  }

  void send(int step) override {
    auto const s = static_cast<std::size_t>(step);
    outgoing const& end = ends_->sends[s];
    if (end.lines != nullptr)
      return write(s);
    if (!end.is_lent)
      return pack_in_pieces(s);
    offer_word(end).store(word_of(epoch_, offer::lent), std::memory_order_release);
  }

private:
  friend class memory_transport<shared_transport>;

  /// Looks after which a sender takes back a lent message and packs it.
  static constexpr int looks_before_packing = 500;

  static bool has_been_taken(channels const& ends, std::uint64_t epoch) {
    return std::ranges::all_of(ends.sends, [epoch](outgoing const& end) {
      bool const needs_nothing = end.lines != nullptr && end.is_answered;
      return needs_nothing || end.taken->load(std::memory_order_acquire) == epoch;
    });
  }

  template <class End>
  shared_word& offer_word(End const& end) const {
    return end.offers[epoch_ % 2];
  }
  template <class End>
  auto* slot(End const& end) const {
    return end.slots + static_cast<std::int64_t>(epoch_ % 2) * end.slot_step;
  }

  void pack(std::size_t s) const { wires_.pack_at(wires_.steps().sends[s], slot(ends_->sends[s])); }

  void pack_in_pieces(std::size_t s) const {
    outgoing const& end = ends_->sends[s];
    wires_.pack_in_pieces(wires_.steps().sends[s], slot(end), [&](std::int64_t done) {
      offer_word(end).store(packed_bytes::of(epoch_, done), std::memory_order_release);
    });
  }

  /// The lines of a message of `bytes` in `epoch`.
  template <class Line>
  static Line* lines_in(std::uint64_t epoch, Line* lines, std::int64_t bytes, bool is_answered) {
    return lines +
           static_cast<std::int64_t>(epoch % epochs_of_lines(is_answered)) * lines_of(bytes);
  }

  void write(std::size_t s) const {
    wires_.pack(static_cast<int>(s));
    wire_span const& wire = wires_.steps().sends[s].wire;
    outgoing const& end = ends_->sends[s];
    write_lines(wires_.at(wire), wire.bytes,
                lines_in(epoch_, end.lines, wire.bytes, end.is_answered), epoch_);
  }

  bool read(std::size_t r) {
    incoming const& end = ends_->receives[r];
    wire_span const& wire = wires_.steps().receives[r].wire;
    read_[r] = read_lines(lines_in(epoch_, end.lines, wire.bytes, end.answers), read_[r],
                          wires_.at(wire), wire.bytes, epoch_);
    if (read_[r] < lines_of(wire.bytes))
      return false;
    wires_.unpack(static_cast<int>(r));
    if (!end.answers)
      end.taken->store(epoch_, std::memory_order_release);
    return true;
  }

  bool take(std::size_t r) {
    incoming const& end = ends_->receives[r];
    if (end.lines != nullptr)
      return read(r);
    bool const done = end.lent.empty() ? follow(r) : claim(r);
    if (done)
      end.taken->store(epoch_, std::memory_order_release);
    return done;
  }

  /// Takes the bytes of a message that is not lent as far as they have been packed.
  bool follow(std::size_t r) {
    incoming const& end = ends_->receives[r];
    receive_step const& step = wires_.steps().receives[r];
    std::uint64_t const word = offer_word(end).load(std::memory_order_acquire);
    read_[r] = wires_.follow(slot(end), step, packed_bytes::bytes_in(word, epoch_), read_[r]);
    return read_[r] == step.wire.bytes;
  }

  /// Takes a message that is lent, unless its sender has withdrawn it and not packed it yet.
  bool claim(std::size_t r) const {
    shared_word& word = offer_word(ends_->receives[r]);
    if (looks_ == 0) // it has probably been offered, and is then claimed without another transfer
      prefetch_to_write(&word);
    std::uint64_t found = word.load(std::memory_order_acquire);
    if (found == word_of(epoch_, offer::packed)) {
      take_packed(r);
      return true;
    }
    if (found != word_of(epoch_, offer::lent) ||
        !word.compare_exchange_strong(found, word_of(epoch_, offer::taking),
                                      std::memory_order_acq_rel))
      return false;
    take_lent(r);
    return true;
  }

  void take_lent(std::size_t r) const {
    receive_step const& step = wires_.steps().receives[r];
    auto const& sources = ends_->receives[r].lent;
    if (in_pairs_[r])
      return copy_in_pairs(sources, wires_.steps().targets_of(step.targets));
    std::byte* wire = wires_.at(step.wire);
    for (block const& source : sources)
      wire = seam::pack(source, wire);
    wires_.unpack(static_cast<int>(r));
  }

  static void copy_in_pairs(std::vector<block> const& sources, std::span<target const> targets) {
    for (std::size_t k = 0; k < targets.size(); ++k)
      copy(sources[k], targets[k].where, targets[k].combine);
  }

  void take_packed(std::size_t r) const {
    wires_.put(slot(ends_->receives[r]), wires_.steps().receives[r]);
  }

  /// True if the sources of a message may be written, and its receiver has come so far that the
  /// next epoch finds word and slot, or lines, unused.
  bool has_left(std::size_t s) {
    outgoing const& end = ends_->sends[s];
    if (end.lines != nullptr)
      return end.is_answered || has_lines_to_go_on(s);
    std::uint64_t const taken = end.taken->load(std::memory_order_acquire);
    if (taken == epoch_)
      return true;
    if (taken + 1 < epoch_)
      return false;
    return !end.is_lent || (looks_ >= looks_before_packing && withdraw(s));
  }

  bool has_lines_to_go_on(std::size_t s) {
    constexpr std::uint64_t ahead = epochs_of_lines(false) - 1;
    if (known_taken_[s] + ahead < epoch_)
      known_taken_[s] = ends_->sends[s].taken->load(std::memory_order_acquire);
    return known_taken_[s] + ahead >= epoch_;
  }

  bool withdraw(std::size_t s) const {
    shared_word& word = offer_word(ends_->sends[s]);
    std::uint64_t lent = word_of(epoch_, offer::lent);
    if (!word.compare_exchange_strong(lent, word_of(epoch_, offer::withdrawn),
                                      std::memory_order_acq_rel))
      return false;
    pack(s);
    word.store(word_of(epoch_, offer::packed), std::memory_order_release);
    return true;
  }

  /// Prefetches the lines of the next epoch, which receivers have read, while this process waits.
  void fetch_lines_of_next_epoch() {
    for (; next_to_fetch_ < ends_->sends.size(); ++next_to_fetch_, next_line_ = 0)
      if (outgoing const& end = ends_->sends[next_to_fetch_]; end.lines != nullptr) {
        std::int64_t const bytes = wires_.steps().sends[next_to_fetch_].wire.bytes;
        if (next_line_ < lines_of(bytes))
          return prefetch_to_write(lines_in(epoch_ + 1, end.lines, bytes, end.is_answered) +
                                   next_line_++);
      }
  }

  void has_looked_in_vain() { fetch_lines_of_next_epoch(); }

  std::shared_ptr<channels const> ends_;
  std::vector<bool> in_pairs_;             ///< [receive steps]
  std::vector<std::uint64_t> known_taken_; ///< [send steps] last epoch seen taken, if short
  std::uint64_t epoch_ = 0;
  std::size_t next_to_fetch_ = 0;
  std::int64_t next_line_ = 0; ///< of the send step next_to_fetch_
};

} // namespace

std::unique_ptr<transport> make_shared_transport(mpi::comm_view context,
                                                 std::shared_ptr<channels const> ends,
                                                 schedule const& steps, std::byte* staging) {
  return std::make_unique<shared_transport>(context, std::move(ends), steps, staging);
}

} // namespace seam
