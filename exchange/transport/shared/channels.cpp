#include <seam/exchange/transport/shared/channels.hpp>

#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <optional>
#include <span>

namespace seam {
namespace {

// Tables that a process shows to the others of its node, in plain numbers: offsets in its memory
// for the operation. [bytes]

struct shown_block {
  shared_place first;
  block shape; ///< its pointer means nothing to others
};

struct shown_send {
  std::int64_t peer, bytes, taken, slots, slot_step;
  std::int64_t first_block, num_blocks; ///< none: the sources are not lent
};

struct shown_receive {
  std::int64_t peer, bytes, offers, lines, num_lines;
};

struct table_of_contents {
  std::int64_t sends, num_sends, receives, num_receives, blocks;
};

/// Divides a piece of memory into parts that begin cache lines.
class layout {
public:
  std::int64_t reserve(std::int64_t bytes) {
    std::int64_t const begin = end_;
    end_ += in_whole_lines(bytes);
    return begin;
  }
  std::int64_t bytes() const { return end_; }

private:
  std::int64_t end_ = 0;
};

/// Reserves `words_each` words for each step; words of one peer share lines. Returns their offsets.
template <class Step>
std::vector<std::int64_t> lay_out_words(std::vector<Step> const& steps, std::int64_t words_each,
                                        layout& memory) {
  std::int64_t const bytes_each = words_each * std::int64_t{sizeof(shared_word)};
  std::map<int, std::vector<std::size_t>> peers2steps;
  for (std::size_t s = 0; s < steps.size(); ++s)
    peers2steps[steps[s].peer].push_back(s);
  std::vector<std::int64_t> offsets(steps.size());
  for (auto const& [peer, list] : peers2steps) {
    std::int64_t next = memory.reserve(bytes_each * std::ssize(list));
    for (std::size_t s : list)
      offsets[s] = std::exchange(next, next + bytes_each);
  }
  return offsets;
}

/// The bytes from the first to the last byte of a block.
struct extent {
  std::byte* first;
  std::int64_t bytes;
};

extent extent_of(block const& source) {
  extent touched{source.first, source.row_bytes};
  for (std::size_t level = 0; level < 2; ++level) {
    std::int64_t const distance = (source.rows[level] - 1) * source.stride[level];
    touched.first += std::min<std::int64_t>(distance, 0);
    touched.bytes += std::max(distance, -distance);
  }
  return touched;
}

/// Names `blocks` to the process `reader`; empty if it cannot read all of them.
std::vector<shown_block> show_blocks(std::span<block const> blocks, int reader) {
  std::vector<shown_block> shown;
  for (block const& source : blocks) {
    extent const touched = extent_of(source);
    auto place = place_of(touched.first, touched.bytes, reader);
    if (!place)
      return {};
    place->offset += source.first - touched.first;
    shown.push_back({*place, source});
  }
  return shown;
}

/// Makes this process's ends of the channels of a schedule, and finds the other ends.
class connector {
public:
  /// Lays out all words, slots, lines and tables of this process in `memory`.
  connector(Communicator const& over, schedule const& steps, layout& memory)
      : node_(over.node()), steps_(steps), rank_(over.rank()) {
    describe(memory);
  }

  table_of_contents const& contents() const noexcept { return contents_; }

  /// Connects each end with the other end of its message.
  /// @param own      the memory of the layout
  /// @param peers    [processes of the node] the memory of each
  /// @param tables   [processes of the node] its table of contents for this schedule
  std::shared_ptr<channels const> connect(std::shared_ptr<std::byte> own,
                                          std::span<std::byte* const> peers,
                                          std::vector<table_of_contents const*> tables) {
    made_->memory = std::move(own);
    memories_ = peers;
    tables_ = std::move(tables);
    for (std::size_t s = 0; s < sends_.size(); ++s)
      made_->sends.push_back(connect_send(s));
    for (std::size_t r = 0; r < receives_.size(); ++r)
      made_->receives.push_back(connect_receive(r));
    return made_;
  }

  /// Writes the tables that others read, and empty words and lines, to `memory`.
  void write(std::byte* memory) const {
    auto const put = [&](auto const& list, std::int64_t offset) {
      using entry = typename std::decay_t<decltype(list)>::value_type;
      std::ranges::uninitialized_copy(list, std::span(reinterpret_cast<entry*>(memory + offset),
                                                      list.size()));
    };
    put(sends_, contents_.sends);
    put(receives_, contents_.receives);
    put(blocks_, contents_.blocks);
    for (shown_send const& sent : sends_)
      new (memory + sent.taken) shared_word(0);
    for (shown_receive const& received : receives_) {
      for (std::int64_t word = 0; word < 2; ++word)
        new (memory + received.offers + word * std::int64_t{sizeof(shared_word)}) shared_word(0);
      for (std::int64_t l = 0; l < received.num_lines; ++l)
        new (memory + received.lines + l * std::int64_t{sizeof(line)}) line{};
    }
  }

private:
  void describe(layout& memory) {
    auto const taken = lay_out_words(steps_.sends, 1, memory);
    auto const offers = lay_out_words(steps_.receives, 2, memory);
    for (std::size_t s = 0; s < steps_.sends.size(); ++s)
      describe_send(steps_.sends[s], taken[s], memory);
    for (std::size_t r = 0; r < steps_.receives.size(); ++r) {
      receive_step const& step = steps_.receives[r];
      std::int64_t const lines = all_lines_of(step);
      receives_.push_back({local(step.peer), step.wire.bytes, offers[r],
                           memory.reserve(lines * std::int64_t{sizeof(line)}), lines});
    }
    contents_ = {memory.reserve(std::ssize(sends_) * std::int64_t{sizeof(shown_send)}),
                 std::ssize(sends_),
                 memory.reserve(std::ssize(receives_) * std::int64_t{sizeof(shown_receive)}),
                 std::ssize(receives_),
                 memory.reserve(std::ssize(blocks_) * std::int64_t{sizeof(shown_block)})};
  }

  /// A lent message needs one slot, into which its sender packs it for a late receiver; any other
  /// needs two, so that an epoch can be packed while the one before has not been taken.
  void describe_send(send_step const& step, std::int64_t taken, layout& memory) {
    bool const is_short = lines_for(step.wire.bytes) > 0;
    std::vector<shown_block> lent;
    if (!is_short && steps_.sources_stay)
      lent = show_blocks(steps_.sources_of(step.sources),
                         node_.memory().world_rank(node_.local_rank(step.peer)));
    std::int64_t const slot = is_short ? 0 : in_whole_lines(step.wire.bytes);
    sends_.push_back({local(step.peer), step.wire.bytes, taken,
                      memory.reserve(lent.empty() ? 2 * slot : slot), lent.empty() ? slot : 0,
                      std::ssize(blocks_), std::ssize(lent)});
    blocks_.insert(blocks_.end(), lent.begin(), lent.end());
  }

  /// Lines of a message in one epoch; none if it is not short.
  static std::int64_t lines_for(std::int64_t bytes) {
    return bytes <= longest_in_lines ? lines_of(bytes) : 0;
  }

  /// Lines of a message in all epochs.
  std::int64_t all_lines_of(receive_step const& step) const {
    bool const answers =
        std::ranges::find(steps_.sends, step.peer, &send_step::peer) != steps_.sends.end();
    return static_cast<std::int64_t>(epochs_of_lines(answers)) * lines_for(step.wire.bytes);
  }

  template <class Entry>
  std::span<Entry const> table(std::byte const* memory, std::int64_t offset,
                               std::int64_t count) const {
    return {reinterpret_cast<Entry const*>(memory + offset), static_cast<std::size_t>(count)};
  }

  /// The entry of the peer's table for the same message as entry `k` of `own`: the n-th with this
  /// process, if `k` is the n-th with the peer.
  template <class Own, class Other>
  Other const& other_end(std::vector<Own> const& own, std::size_t k, std::span<Other const> others,
                         bool sends) const {
    auto const is_with = [](std::int64_t peer) {
      return [peer](auto const& entry) { return entry.peer == peer; };
    };
    auto const end = own.begin() + static_cast<std::ptrdiff_t>(k);
    auto before = std::count_if(own.begin(), end, is_with(own[k].peer));
    auto const self = local(rank_);
    for (Other const& other : others)
      if (other.peer == self && before-- == 0) {
        if (other.bytes != own[k].bytes)
          refuse_lengths(own[k].bytes, other.bytes, sends);
        return other;
      }
    refuse_lengths(own[k].bytes, std::nullopt, sends);
  }

  [[noreturn]] void refuse_lengths(std::int64_t own, std::optional<std::int64_t> other,
                                   bool sends) const {
    refuse(MPI_ERR_TRUNCATE,
           fmt::format("exchange: rank {} {} a message of {} bytes {} the same node, whose other "
                       "end {} (expected the same)",
                       rank_, sends ? "sends" : "expects", own, sends ? "to" : "from",
                       other ? fmt::format("is of {} bytes", *other) : "is missing"));
  }

  template <class Entry>
  static bool has_step_with(std::vector<Entry> const& entries, std::int64_t peer) {
    return std::ranges::find(entries, peer, &Entry::peer) != entries.end();
  }

  outgoing connect_send(std::size_t s) const {
    shown_send const& own = sends_[s];
    std::byte* const there = memories_[own.peer];
    auto const& contents = *tables_[own.peer];
    auto const& other = other_end(
        sends_, s, table<shown_receive>(there, contents.receives, contents.num_receives), true);
    std::byte* const here = made_->memory.get();
    return {.offers = reinterpret_cast<shared_word*>(there + other.offers),
            .taken = reinterpret_cast<shared_word const*>(here + own.taken),
            .slots = here + own.slots,
            .slot_step = own.slot_step,
            .is_lent = own.num_blocks > 0,
            .lines =
                lines_for(own.bytes) > 0 ? reinterpret_cast<line*>(there + other.lines) : nullptr,
            .is_answered = has_step_with(receives_, own.peer)};
  }

  incoming connect_receive(std::size_t r) const {
    shown_receive const& own = receives_[r];
    std::byte* const there = memories_[own.peer];
    auto const& contents = *tables_[own.peer];
    auto const& other = other_end(
        receives_, r, table<shown_send>(there, contents.sends, contents.num_sends), false);
    incoming end{.offers = reinterpret_cast<shared_word*>(made_->memory.get() + own.offers),
                 .taken = reinterpret_cast<shared_word*>(there + other.taken),
                 .slots = there + other.slots,
                 .slot_step = other.slot_step,
                 .lent = {},
                 .lines = lines_for(own.bytes) > 0
                              ? reinterpret_cast<line const*>(made_->memory.get() + own.lines)
                              : nullptr,
                 .answers = has_step_with(sends_, own.peer)};
    auto const* const blocks = reinterpret_cast<shown_block const*>(there + contents.blocks);
    for (std::int64_t b = other.first_block; b < other.first_block + other.num_blocks; ++b) {
      block& source = end.lent.emplace_back(blocks[b].shape);
      source.first = address_of(blocks[b].first);
    }
    return end;
  }

  std::int64_t local(int peer) const { return node_.local_rank(peer); }

  node const& node_;
  schedule const& steps_;
  int rank_;
  table_of_contents contents_{};
  std::vector<shown_send> sends_;
  std::vector<shown_receive> receives_;
  std::vector<shown_block> blocks_;
  std::span<std::byte* const> memories_; ///< of all processes of the node for this operation
  std::vector<table_of_contents const*> tables_;
  std::shared_ptr<channels> made_ = std::make_shared<channels>();
};

} // namespace

bool has_long_private_messages(Communicator const& over, schedule const& steps) {
  return std::ranges::any_of(steps.sends, [&](send_step const& step) {
    if (step.wire.direct == nullptr || step.wire.bytes <= longest_private_message)
      return false;
    int const reader = over.node().memory().world_rank(over.node().local_rank(step.peer));
    return !steps.sources_stay || show_blocks(steps.sources_of(step.sources), reader).empty();
  });
}

std::vector<std::shared_ptr<channels const>> make_channels(Communicator const& over,
                                                           std::span<schedule const> all) {
  node const& on = over.node();
  if (on.is_alone())
    return {};
  layout memory; // begins with the tables of contents
  memory.reserve(std::ssize(all) * std::int64_t{sizeof(table_of_contents)});
  std::vector<connector> connectors;
  for (schedule const& steps : all)
    connectors.emplace_back(over, steps, memory);
  auto const write = [&](std::byte* own) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      std::uninitialized_copy_n(&connectors[k].contents(), 1,
                                reinterpret_cast<table_of_contents*>(own) + k);
      connectors[k].write(own);
    }
  };
  auto const [own, peers] = on.memory().meet(memory.bytes(), on.memory().comm(), write);
  if (own == nullptr)
    return {};
  std::vector<std::shared_ptr<channels const>> made;
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::vector<table_of_contents const*> tables_of_k;
    for (std::byte const* there : peers)
      tables_of_k.push_back(reinterpret_cast<table_of_contents const*>(there) + k);
    made.push_back(connectors[k].connect(own, peers, std::move(tables_of_k)));
  }
  return made;
}

} // namespace seam
