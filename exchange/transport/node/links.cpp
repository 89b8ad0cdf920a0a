#include <seam/exchange/transport/node/links.hpp>

#include <algorithm>
#include <map>
#include <new>
#include <utility>

namespace seam::detail {
namespace {

/// An end of a link as its process shows it to the others, in plain numbers: offsets in its memory.
/// [bytes]
struct shown_end {
  std::int64_t set; ///< index among the wanted links
  int peer;
  bool sends, is_answered;
  std::int64_t bytes;
  std::int64_t words;                   ///< `taken` of a sender, offers of a receiver
  std::int64_t parts, length;           ///< slots [bytes], or lines [lines], and those of an epoch
  std::uint64_t num_places;             ///< of slots, or lines
  std::int64_t first_block, num_blocks; ///< none: the sources are not lent
};

/// The beginning of the memory of a process.
struct shown_head {
  std::int64_t num_ends, ends, blocks;
};

/// The bytes from the first to the last byte of a block.
struct extent {
  std::byte* first;
  std::int64_t bytes;
};

extent extent_of(block const& source) {
  extent touched{source.first, source.row_bytes};
  for (int level = 0; level < 2; ++level) {
    std::int64_t const distance = (source.rows[level] - 1) * source.stride[level];
    touched.first += std::min<std::int64_t>(distance, 0);
    touched.bytes += std::max(distance, -distance);
  }
  return touched;
}

/// Those of `ends` that belong to `set`: they stand together.
std::span<shown_end const> ends_of(std::int64_t set, std::span<shown_end const> ends) {
  return {std::ranges::lower_bound(ends, set, {}, &shown_end::set),
          std::ranges::upper_bound(ends, set, {}, &shown_end::set)};
}

std::span<shown_end const> ends_in(std::byte const* memory) {
  auto const& head = *reinterpret_cast<shown_head const*>(memory);
  return std::span(reinterpret_cast<shown_end const*>(memory + head.ends), head.num_ends);
}

/// The link from `sender`, whose memory this process finds at `from`, to `receiver` at `to`.
link_end link_between(shown_end const& sender, std::byte* from, shown_end const& receiver,
                      std::byte* to) {
  auto* const lines = reinterpret_cast<line*>(to + receiver.parts);
  return {.lines = receiver.length > 0 ? lines : nullptr,
          .lines_each = receiver.length,
          .line_places = places(receiver.num_places),
          .offers = reinterpret_cast<shared_word*>(to + receiver.words),
          .slots = from + sender.parts,
          .slot_bytes = sender.length,
          .slot_places = places(sender.num_places),
          .taken = reinterpret_cast<shared_word*>(from + sender.words),
          .is_lent = sender.num_blocks > 0,
          .is_answered = sender.is_answered};
}

/// The sources that `sender` lends, as this process finds them.
std::vector<block> lent_blocks(std::byte const* from, shown_end const& sender) {
  auto const& head = *reinterpret_cast<shown_head const*>(from);
  auto const* const shown =
      reinterpret_cast<shown_block const*>(from + head.blocks) + sender.first_block;
  std::vector<block> lent;
  for (shown_block const& each : std::span(shown, sender.num_blocks)) {
    lent.push_back(each.shape);
    lent.back().first = address_of(each.first);
  }
  return lent;
}

/// Makes this process's ends of all links, and finds the other ends.
class connector {
public:
  /// Lays out all words, lines, slots and tables of this process.
  connector(std::span<wanted_links const> all, int rank) : rank_(rank) {
    memory_.reserve(sizeof(shown_head));
    for (wanted_links const& wanted : all)
      lay_out(wanted);
    head_ = {std::ssize(ends_),
             memory_.reserve(std::ssize(ends_) * std::int64_t{sizeof(shown_end)}),
             memory_.reserve(std::ssize(blocks_) * std::int64_t{sizeof(shown_block)})};
  }

  std::int64_t bytes() const { return memory_.bytes(); }

  /// Writes the tables that others read, and empty words and lines, to `memory`.
  void write(std::byte* memory) const {
    new (memory) shown_head(head_);
    std::ranges::uninitialized_copy(
        ends_, std::span(reinterpret_cast<shown_end*>(memory + head_.ends), ends_.size()));
    std::ranges::uninitialized_copy(
        blocks_, std::span(reinterpret_cast<shown_block*>(memory + head_.blocks), blocks_.size()));
    for (shown_end const& end : ends_) {
      std::uninitialized_value_construct_n(reinterpret_cast<shared_word*>(memory + end.words),
                                           end.sends ? 1 : 2);
      if (!end.sends)
        std::uninitialized_value_construct_n(reinterpret_cast<line*>(memory + end.parts),
                                             places(end.num_places).number() * end.length);
    }
  }

  /// Connects each end with the other end of its link.
  /// @param own    the memory of the layout
  /// @param peers  [processes of the node] the memory of each
  std::vector<std::shared_ptr<links>> connect(std::shared_ptr<std::byte> const& own,
                                              std::span<std::byte* const> peers) const {
    std::vector<std::shared_ptr<links>> made;
    for (std::int64_t set = 0; set < num_sets_; ++set)
      made.emplace_back(std::make_shared<links>())->memory = own;
    for (shown_end const& end : ends_)
      connect(end, peers[end.peer], *made[end.set]);
    return made;
  }

private:
  void lay_out(wanted_links const& wanted) {
    auto const taken = lay_out_words(wanted.sends, 1), offers = lay_out_words(wanted.receives, 2);
    std::ptrdiff_t const first = std::ssize(ends_);
    for (int s = 0; s < std::ssize(taken); ++s) {
      wanted_sending const& sent = wanted.sends[s];
      std::int64_t const slot = in_whole_lines(sent.slot_bytes);
      bool const has_own_slots = !wanted.share_slots || s == 0;
      std::int64_t const slots = has_own_slots
                                     ? memory_.reserve(slot * places(sent.num_slots).number())
                                     : ends_[first].parts;
      ends_.push_back({num_sets_, sent.peer, true, is_answered(wanted, sent.peer), sent.bytes,
                       taken[s], slots, slot, sent.num_slots, std::ssize(blocks_),
                       std::ssize(sent.lent)});
      blocks_.insert(blocks_.end(), sent.lent.begin(), sent.lent.end());
    }
    for (int r = 0; r < std::ssize(offers); ++r) {
      auto const& [peer, bytes, lines_each] = wanted.receives[r];
      bool const answers = is_answered(wanted, peer);
      std::uint64_t const number = places_of_lines(answers);
      std::int64_t const lines =
          memory_.reserve(places(number).number() * lines_each * std::int64_t{sizeof(line)});
      ends_.push_back({num_sets_, peer, false, answers, bytes, offers[r], lines, lines_each, number,
                       0, 0});
    }
    ++num_sets_;
  }

  /// Reserves `words_each` words for each link; words of one peer share lines. Returns their
  /// offsets.
  template <class Wanted>
  std::vector<std::int64_t> lay_out_words(std::vector<Wanted> const& wanted,
                                          std::int64_t words_each) {
    std::int64_t const bytes_each = words_each * std::int64_t{sizeof(shared_word)};
    std::map<int, std::int64_t> peers2next;
    for (Wanted const& each : wanted)
      peers2next[each.peer] += bytes_each;
    for (auto& [peer, next] : peers2next)
      next = memory_.reserve(next);
    std::vector<std::int64_t> offsets;
    for (Wanted const& each : wanted)
      offsets.push_back(std::exchange(peers2next[each.peer], peers2next[each.peer] + bytes_each));
    return offsets;
  }

  /// True if both ends of a link with `peer` have a message for each other in each epoch.
  static bool is_answered(wanted_links const& wanted, int peer) {
    auto const has_peer = [peer](auto const& each) { return each.peer == peer; };
    return wanted.are_answered && std::ranges::any_of(wanted.sends, has_peer) &&
           std::ranges::any_of(wanted.receives, has_peer);
  }

  /// The other end of the link of `own`, among the ends of its peer; nullptr if it is missing.
  shown_end const* other_end(shown_end const& own, std::span<shown_end const> others) const {
    std::ptrdiff_t before = 0; // links between the two in the same direction
    for (shown_end const& end : ends_of(own.set, ends_)) {
      if (&end == &own)
        break;
      before += end.peer == own.peer && end.sends == own.sends;
    }
    for (shown_end const& other : ends_of(own.set, others))
      if (other.peer == rank_ && other.sends != own.sends && before-- == 0)
        return &other;
    return nullptr;
  }

  void connect(shown_end const& own, std::byte* there, links& made) const {
    link_end& end = own.sends ? static_cast<link_end&>(made.sends.emplace_back())
                              : made.receives.emplace_back();
    shown_end const* const other = other_end(own, ends_in(there));
    if (other == nullptr)
      return;
    std::byte* const here = made.memory.get();
    end =
        own.sends ? link_between(own, here, *other, there) : link_between(*other, there, own, here);
    end.bytes_wanted = other->bytes;
    if (!own.sends)
      made.receives.back().lent = lent_blocks(there, *other);
  }

  int rank_;
  layout memory_;
  shown_head head_{};
  std::int64_t num_sets_ = 0;
  std::vector<shown_end> ends_;
  std::vector<shown_block> blocks_;
};

} // namespace

std::vector<shown_block> show_blocks(std::span<block const> sources, int reader) {
  std::vector<shown_block> shown;
  for (block const& source : sources) {
    extent const touched = extent_of(source);
    auto place =
        source.memory == nullptr ? place_of(touched.first, touched.bytes, reader) : std::nullopt;
    if (!place)
      return {};
    place->offset += source.first - touched.first;
    shown.push_back({*place, source});
  }
  return shown;
}

links::~links() {
  auto const is_done = [ends = std::move(sends)] {
    return std::ranges::all_of(ends, [](sending_link const& end) {
      return end.awaited == 0 || end.taken->load(std::memory_order_acquire) >= end.awaited;
    });
  };
  free_when(std::move(memory), is_done);
}

std::vector<std::shared_ptr<links>> make_links(shared_arena& arena, mpi::comm_view by,
                                               std::span<wanted_links const> all) {
  connector const made(all, by.rank());
  auto const [own, peers] =
      arena.meet(made.bytes(), by, [&](std::byte* memory) { made.write(memory); });
  return own == nullptr ? std::vector<std::shared_ptr<links>>() : made.connect(own, peers);
}

} // namespace seam::detail
