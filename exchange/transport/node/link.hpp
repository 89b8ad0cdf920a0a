/// Links: one-directional connections of two ends in memory that both can access. The ends may be
/// processes of a node or threads of a process; a link does not know which.
///
/// Each epoch carries a message, or none. Epochs, which both ends count, use places in turn:
///
///     receiver's memory     lines   <--- a short message, each line with the mark of its epoch
///                           offers  <--- an epoch, and how its longer message is offered
///     sender's memory       slots        packed bytes, where the sources cannot be read
///                           taken   <--- the last epoch whose message the receiver has
///
/// A longer message is packed into a slot, while the receiver follows, or lent: the receiver claims
/// it and reads the sources, unless the sender has withdrawn and packed it before. Either end waits
/// by looking at a word in its own memory; words that two processes write lie in different cache
/// lines.
///
/// Where messages go both ways in each epoch, a message says that its sender has taken the one of
/// the epoch before, and a short one needs no other sign. Where nothing comes back, the sender may
/// be as many epochs ahead as there are places.
///
/// Lines: short messages written word by word into the receiver's memory.
///
///     line   56 bytes of the message | the epoch that they belong to
///
/// A cache line carries a part of a message and the word that tells that it has arrived: a short
/// message takes as long as one line takes from core to core, and waits for no answer.
#pragma once

#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/schedule/detail/region.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace seam::detail {

using shared_word = std::atomic<std::uint64_t>;
static_assert(shared_word::is_always_lock_free, "processes share words without a lock");

/// One cache line of a message.
struct alignas(64) line {
  std::byte data[56];
  shared_word epoch;
};
static_assert(sizeof(line) == 64);

/// Lines of a message of `bytes`.
constexpr std::int64_t lines_of(std::int64_t bytes) {
  constexpr std::int64_t each = sizeof(line::data);
  return (bytes + each - 1) / each;
}

/// Writes the `bytes` at `from` as the message of `epoch`.
inline void write_lines(std::byte const* from, std::int64_t bytes, line* into,
                        std::uint64_t epoch) {
  constexpr std::int64_t each = sizeof(line::data);
  for (; bytes >= each; bytes -= each, from += each, ++into) {
    std::memcpy(into->data, from, each);
    into->epoch.store(epoch, std::memory_order_release);
  }
  if (bytes > 0) {
    std::memcpy(into->data, from, bytes);
    into->epoch.store(epoch, std::memory_order_release);
  }
}

/// Reads the lines that have arrived of the message of `epoch`, from the `done`-th on, into the
/// `bytes` at `into`. Returns how many have been read in all: lines_of(bytes) if all have arrived.
inline std::int64_t read_lines(line const* from, std::int64_t done, std::byte* into,
                               std::int64_t bytes, std::uint64_t epoch) {
  constexpr std::int64_t each = sizeof(line::data);
  std::int64_t const num_whole = bytes / each;
  for (; done < num_whole; ++done) {
    if (from[done].epoch.load(std::memory_order_acquire) != epoch)
      return done;
    std::memcpy(into + done * each, from[done].data, each);
  }
  if (done == num_whole && bytes % each > 0 &&
      from[done].epoch.load(std::memory_order_acquire) == epoch) {
    std::memcpy(into + done * each, from[done].data, bytes % each);
    ++done;
  }
  return done;
}

/// Divides a piece of memory into parts that begin cache lines.
class layout {
public:
  /// The offset of the next part. [bytes]
  std::int64_t reserve(std::int64_t bytes) {
    std::int64_t const begin = end_;
    end_ += in_whole_lines(bytes);
    return begin;
  }
  std::int64_t bytes() const { return end_; }

private:
  std::int64_t end_ = 0;
};

/// Places that epochs use in turn.
class places {
public:
  constexpr places() = default;
  /// @param number  a power of two
  constexpr explicit places(std::uint64_t number) : last_(number - 1) {}

  constexpr std::int64_t number() const { return static_cast<std::int64_t>(last_ + 1); }
  constexpr std::int64_t of(std::uint64_t epoch) const {
    return static_cast<std::int64_t>(epoch & last_);
  }

  /// The last epoch that must have been taken before the one after `epoch` finds its place unused.
  constexpr std::uint64_t needed_behind(std::uint64_t epoch) const {
    return epoch - std::min(epoch, last_);
  }

private:
  std::uint64_t last_ = 0; ///< place
};

/// Words that tell how many bytes of a message have been packed. The last bits of the epoch are
/// enough where each epoch overwrites the word of the second one before, and where another word
/// tells of the epoch.
struct packed_bytes {
  static constexpr int bits = 40;

  static constexpr std::uint64_t word_of(std::uint64_t epoch, std::int64_t bytes) {
    return epoch << bits | static_cast<std::uint64_t>(bytes);
  }

  /// The bytes in `word` if it is of `epoch`, otherwise 0.
  static constexpr std::int64_t in(std::uint64_t word, std::uint64_t epoch) {
    auto const bytes = static_cast<std::int64_t>(word & ((std::uint64_t{1} << bits) - 1));
    return word == word_of(epoch, bytes) ? bytes : 0;
  }
};

/// How a message that may be lent is offered in an epoch. The end that claims a lent message first
/// handles it: the receiver reads the sources, or the sender packs them.
enum class offer : std::uint64_t { lent, taking, withdrawn, packed };

/// A link as one of its ends finds it in memory.
struct link_end {
  static constexpr std::int64_t missing = -1;

  line* lines = nullptr; ///< [places of lines][lines_each]; nullptr: messages are not short
  std::int64_t lines_each = 0;
  places line_places{};
  shared_word* offers = nullptr; ///< [2], for even and odd epochs
  std::byte* slots = nullptr;    ///< [places of slots][slot_bytes]
  std::int64_t slot_bytes = 0;
  places slot_places{};
  shared_word* taken = nullptr;
  std::int64_t bytes_wanted = missing; ///< of each message, as the other end has said
  bool is_lent = false;                ///< the receiver can read the sources where they lie
  bool is_answered = false;            ///< each epoch has a message in the other direction, too

  bool is_missing() const { return bytes_wanted == missing; }
  line* lines_in(std::uint64_t epoch) const { return lines + line_places.of(epoch) * lines_each; }
  std::byte* slot_in(std::uint64_t epoch) const {
    return slots + slot_places.of(epoch) * slot_bytes;
  }
  shared_word& offer_in(std::uint64_t epoch) const { return offers[epoch % 2]; }

  static constexpr std::uint64_t word_of(std::uint64_t epoch, offer how) {
    return epoch << 2 | static_cast<std::uint64_t>(how);
  }

protected:
  /// Changes the offer of a lent message; false if the other end has changed it before.
  bool change_lent(std::uint64_t epoch, offer to) const {
    std::uint64_t found = word_of(epoch, offer::lent);
    return offer_in(epoch).compare_exchange_strong(found, word_of(epoch, to),
                                                   std::memory_order_acq_rel);
  }
};

/// The sender's end. Threads: one at a time for each function.
struct sending_link : link_end {
  std::uint64_t known = 0;   ///< the last epoch that is known to have been taken
  std::uint64_t awaited = 0; ///< the last epoch that the receiver has to note in `taken`

  /// True if the receiver has taken `epoch` and all before.
  bool has_taken(std::uint64_t epoch) {
    if (known < epoch)
      known = std::max(known, taken->load(std::memory_order_acquire));
    return known >= epoch;
  }

  /// Tells that `bytes` of the message are in the slot.
  void show_packed(std::uint64_t epoch, std::int64_t bytes) const {
    offer_in(epoch).store(packed_bytes::word_of(epoch, bytes), std::memory_order_release);
  }

  void lend(std::uint64_t epoch) const {
    offer_in(epoch).store(word_of(epoch, offer::lent), std::memory_order_release);
  }

  /// Takes a lent message back and calls pack(slot); false if the receiver has claimed it before.
  template <class Pack>
  bool withdraw(std::uint64_t epoch, Pack const& pack) const {
    if (!change_lent(epoch, offer::withdrawn))
      return false;
    pack(slot_in(epoch));
    offer_in(epoch).store(word_of(epoch, offer::packed), std::memory_order_release);
    return true;
  }
};

/// The receiver's end. Threads: one at a time.
struct receiving_link : link_end {
  std::vector<block> lent{}; ///< the sources of each message, if they are lent

  /// The bytes of the message that are in the slot.
  std::int64_t packed(std::uint64_t epoch) const {
    return packed_bytes::in(offer_in(epoch).load(std::memory_order_acquire), epoch);
  }

  /// What the receiver may do with a message that can be lent: read its sources, which it has
  /// claimed (lent), or its slot (packed), or look again later (withdrawn).
  offer claim(std::uint64_t epoch) const {
    std::uint64_t const found = offer_in(epoch).load(std::memory_order_acquire);
    if (found == word_of(epoch, offer::packed))
      return offer::packed;
    bool const is_mine = found == word_of(epoch, offer::lent) && change_lent(epoch, offer::taking);
    return is_mine ? offer::lent : offer::withdrawn;
  }

  void note_taken(std::uint64_t epoch) const { taken->store(epoch, std::memory_order_release); }
};

} // namespace seam::detail
