/// Ghost stamps: the proof, in checked mode, that a loop reads no ghost that is out of date. Each
/// ghost of a buffer has a stamp, each buffer an epoch (ghost_epochs.hpp).
///
/// A view hands out references, and so a stamp of what a caller does with one is put off until the
/// thread's next access (last_touches.hpp). A reference to a ghost that is out of date is to poison
/// (poison.hpp): who leaves it as it is has read it, who replaces it has filled the ghost.
///
/// Stamps belong to a buffer, not to a field: they go with it when fields are swapped.
#pragma once

#include <seam/exchange/halo/array_watch.hpp>
#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/steps/stamps/ghost_epochs.hpp>
#include <seam/exchange/steps/stamps/last_touches.hpp>
#include <seam/exchange/steps/stamps/poison.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

/// What an element of a buffer is for its neighbors. A rim may be read by others, or by conditions
/// on borders; ghosts out of reach lie where the neighborhood has no offset to.
enum class element_kind : std::uint8_t { inner, rim, ghost, ghost_out_of_reach };

constexpr bool is_ghost(element_kind kind) { return kind >= element_kind::ghost; }

/// Why a ghost may not be read.
enum class stale_reason { is_in_flight, has_changed, was_never_filled };

/// "is out of date", and what is expected of the program where an exchange is missing.
char const* words_of_stale(stale_reason why);
std::string expected_exchange(char const* name, stale_reason why);

/// Describes a read of a ghost of the field of this name.
using words_of_ghost =
    std::function<std::string(char const* name, std::int64_t ghost, stale_reason why)>;

/// The stamps of one buffer. Elements are numbered as they lie in memory.
/// Threads: any, unless said otherwise.
class ghost_stamps {
public:
  /// @param memory  [kinds] of elements of `element_bytes`, T{} everywhere, outlives this
  /// @param is_bool  true if there are but two values
  /// @param words_of  describes a ghost, for error lines
  ghost_stamps(std::byte* memory, std::int64_t element_bytes, bool is_bool,
               std::vector<element_kind> kinds, words_of_ghost words_of);
  ghost_stamps(ghost_stamps const&) = delete;
  ghost_stamps& operator=(ghost_stamps const&) = delete;

  /// Gives the buffer the name of a field, which lives as long as the program.
  void belong_to(char const* name) noexcept { name_.store(name, std::memory_order_relaxed); }

  /// Checks a read of `count` elements; a ghost that is not current ends the program.
  void read(std::int64_t element, std::int64_t count = 1) {
    for (std::int64_t e = element; e < element + count; ++e)
      if (is_ghost(kinds_[e]))
        read_ghost(e);
  }

  /// Notes that the caller is about to get a reference to an element, which it may read or write.
  void touch(std::int64_t element) {
    if (kinds_[element] != element_kind::inner)
      touch_outer(element);
  }

  /// Notes that the caller is about to write `count` elements in a row, or to read those of them that
  /// are owned.
  void touch_row(std::int64_t element, std::int64_t count);

  /// Finds out what the calling thread has done with the element that it has touched last.
  void settle();

  /// Settles the accesses of all threads. None of them is inside a loop over the buffer.
  void settle_all();

  bool is_current(std::int64_t ghost) const { return epochs_.is_current(ghost); }

  /// True for owned elements, and for ghosts that are current.
  bool may_be_read(std::int64_t element) const {
    return !is_ghost(kinds_[element]) || is_current(element);
  }

  /// All owned elements may have other values now; ghosts are out of date.
  /// Threads: one, outside of loops over the buffer.
  void note_change();

  /// All ghosts have values that the caller vouches for. As above.
  void vouch_for_ghosts();

  /// The condition on a border has computed a ghost from the element `inside`.
  /// @param is_fixed  the ghost does not depend on it, and is current from now on
  void note_filled(std::int64_t ghost, std::int64_t inside, bool is_fixed);

  /// While at least one is under way, writes of the rim make no ghost out of date. At the end of the
  /// last loop in place they do, all at once.
  void begin_in_place() { num_in_place_.fetch_add(1); }
  void end_in_place();

  /// What exchanges tell; see array_watch.
  void begin_exchange();
  void expect(region const& elements);
  void arrive(region const& elements, bool out_of_reach_too);
  void end_exchange();

  /// Takes over the state of another buffer, and the stamps of `count` elements of it.
  /// Threads: one, outside of loops.
  void take_state(ghost_stamps const& other) { epochs_.take(other.epochs_); }
  void take_stamps(ghost_stamps const& other, std::int64_t from, std::int64_t to,
                   std::int64_t count) {
    epochs_.take(other.epochs_, from, to, count);
  }

private:
  void read_ghost(std::int64_t ghost);
  void touch_outer(std::int64_t element);
  void note_touch(std::int64_t element, std::int64_t count, bool is_of_poison);
  void settle(noted_touch const& last);
  void note_write_of_rim();
  void note_event();
  void report(std::int64_t ghost);
  std::byte* address_of(std::int64_t element) const { return memory_ + element * element_bytes_; }

  std::byte* memory_;
  std::int64_t element_bytes_;
  std::vector<element_kind> kinds_;
  words_of_ghost words_of_;
  ghost_epochs epochs_; ///< [kinds_]
  last_touches touches_;
  poison poison_;
  std::atomic<int> num_exchanges_{0}, num_in_place_{0};
  std::atomic<bool> is_written_in_place_{false};
  std::atomic<std::uint64_t> num_events_{0};
  std::atomic<char const*> name_{""};
};

/// What happens to the line about a read of a ghost that is out of date. The default prints it and
/// ends the program. Returns the one before.
using stale_ghost_handler = void (*)(std::string const& line);
stale_ghost_handler set_stale_ghost_handler(stale_ghost_handler handler);

/// Tells the stamps of a buffer about exchanges of it.
class stamped_array final : public array_watch {
public:
  /// @param out_of_reach_too  ghosts where the neighborhood has no offset to become current, too
  stamped_array(std::shared_ptr<ghost_stamps> stamps, bool out_of_reach_too)
      : stamps_(std::move(stamps)), out_of_reach_too_(out_of_reach_too) {}

  void begin() override { stamps_->begin_exchange(); }
  void expect(region const& elements) override { stamps_->expect(elements); }
  void arrive(region const& elements) override { stamps_->arrive(elements, out_of_reach_too_); }
  void end() override { stamps_->end_exchange(); }

private:
  std::shared_ptr<ghost_stamps> stamps_;
  bool out_of_reach_too_;
};

/// Memory that has stamps from now on: as `memory`, which it keeps. Its end settles the last accesses.
std::shared_ptr<std::byte> with_stamps(std::shared_ptr<std::byte> const& memory,
                                       std::shared_ptr<ghost_stamps> const& stamps);

/// The stamps of memory, or nullptr.
std::shared_ptr<ghost_stamps> stamps_of(std::shared_ptr<std::byte> const& memory);

} // namespace seam::detail
