#include <seam/exchange/planning/combining.hpp>

#include <seam/exchange/planning/alltoallw.hpp>
#include <seam/exchange/schedule/schedule_writer.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace seam::detail {
namespace {

using vector = cartesian_structure::vector;

/// `v` with zeros in all but its first `length` dimensions, in the order of `dimensions`.
vector prefix(vector const& v, std::vector<int> const& dimensions, int length) {
  vector part(v.size());
  for (int k = 0; k < length; ++k) {
    int const d = dimensions[k];
    part[d] = v[d];
  }
  return part;
}

vector opposite(vector v) {
  for (int& entry : v)
    entry = -entry;
  return v;
}

vector along(int num_dimensions, int dimension, int length) {
  vector v(num_dimensions);
  v[dimension] = length;
  return v;
}

/// Reduces `v` modulo the extents of periodic dimensions: vectors to the same process become equal.
vector reduced(cartesian_structure const& on, vector v) {
  for (int i = 0; i < std::ssize(v); ++i)
    if (on.periodic[i])
      v[i] = (v[i] % on.extent[i] + on.extent[i]) % on.extent[i];
  return v;
}

std::vector<int> in_order(cartesian_structure const& on) {
  std::vector<int> dimensions(on.num_dimensions());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

bool is_zero(vector const& v) {
  return std::ranges::all_of(v, [](int entry) { return entry == 0; });
}

/// The lengths of vectors along one dimension, each once, without 0.
std::set<int> lengths(cartesian_structure const& on, int dimension) {
  std::set<int> all;
  for (vector const& v : on.vectors)
    all.insert(v[dimension]);
  all.erase(0);
  return all;
}

/// The vectors of a structure that carry bytes.
struct loaded_structure {
  cartesian_structure on;
  vector_bytes bytes;
};

loaded_structure loaded_part(cartesian_structure const& whole, vector_bytes const& bytes) {
  loaded_structure part{whole, {}};
  part.on.vectors.clear();
  std::vector<int> whole2part(whole.vectors.size(), -1);
  for (int v = 0; v < std::ssize(whole.vectors); ++v)
    if (bytes[v] > 0) {
      whole2part[v] = static_cast<int>(part.bytes.size());
      part.on.vectors.push_back(whole.vectors[v]);
      part.bytes.push_back(bytes[v]);
    }
  for (auto* const edges2vectors : {&part.on.destinations2vectors, &part.on.sources2vectors})
    for (int& v : *edges2vectors)
      v = v < 0 ? v : whole2part[v];
  return part;
}

/// One byte for each vector, so that volumes in bytes are numbers of blocks.
vector_bytes one_for_each(cartesian_structure const& on) {
  return vector_bytes(on.vectors.size(), 1);
}

std::ptrdiff_t num_hops(vector const& v) {
  return std::ranges::count_if(v, [](int entry) { return entry != 0; });
}

int num_messages(cartesian_structure const& on) {
  int sum = 0;
  for (int dimension : in_order(on))
    sum += static_cast<int>(lengths(on, dimension).size());
  return sum;
}

/// The prefixes of vectors that end in a step along dimension k, which blocks make in phase `k`.
std::set<vector> steps_of_phase(cartesian_structure const& on, std::vector<int> const& dimensions,
                                int k) {
  std::set<vector> steps;
  for (vector const& v : on.vectors)
    if (v[dimensions[k]] != 0)
      steps.insert(prefix(v, dimensions, k + 1));
  return steps;
}

std::int64_t allgather_volume(cartesian_structure const& on, std::vector<int> const& dimensions) {
  std::int64_t sum = 0;
  for (int k = 0; k < std::ssize(dimensions); ++k)
    sum += static_cast<std::int64_t>(steps_of_phase(on, dimensions, k).size());
  return sum;
}

/// The order of dimensions in which the fewest blocks travel; the first if several are equal.
std::vector<int> cheapest_order(cartesian_structure const& on) {
  constexpr int most_to_permute = 6;
  std::vector<int> dimensions = in_order(on), best = dimensions;
  if (on.num_dimensions() > most_to_permute)
    return best;
  std::int64_t least = allgather_volume(on, best);
  while (std::ranges::next_permutation(dimensions).found)
    if (std::int64_t const volume = allgather_volume(on, dimensions); volume < least) {
      least = volume;
      best = dimensions;
    }
  return best;
}

/// Writes schedules whose rounds are phases; in a phase all messages go along one dimension.
class phase_writer : private schedule_writer {
public:
  explicit phase_writer(cartesian_structure const& on) : on_(on) {
    plan_.gates = {0};
    plan_.num_rounds = 0;
  }

  void begin_phase() { ++plan_.num_rounds; }

  /// Sends `blocks` in one message of the phase to the process `length` further along a dimension.
  void send(int dimension, int length, std::vector<block> const& blocks) {
    if (blocks.empty())
      return;
    auto const there = on_.moved(on_.place, along(on_.place.size(), dimension, length));
    plan_.sends.push_back({.round = round(),
                           .peer = on_.rank_at(*there),
                           .gates = {0, 1},
                           .sources = append_sources(blocks),
                           .wire = wire(blocks)});
  }

  /// Receives `blocks` in one message of the phase from the process `length` back in a dimension.
  void receive(int dimension, int length, std::vector<block> const& blocks) {
    if (blocks.empty())
      return;
    auto const there = on_.moved(on_.place, along(on_.place.size(), dimension, -length));
    plan_.receives.push_back({.round = round(),
                              .peer = on_.rank_at(*there),
                              .targets = append_targets(blocks),
                              .wire = wire(blocks)});
  }

  /// Copies blocks inside this process during the phase.
  void copy(std::vector<block> from, std::vector<block> into) {
    match(from, into);
    if (plan_.num_rounds == 0)
      begin_phase();
    for (int b = 0; b < std::ssize(from); ++b) {
      std::vector const source{from[b]}, target{into[b]};
      plan_.copies.push_back({.round = round(),
                              .gates = {0, 1},
                              .sources = append_sources(source),
                              .targets = append_targets(target)});
    }
  }

  /// Memory for a block that this process forwards.
  block scratch_block(std::int64_t bytes) {
    auto const memory = std::make_shared<std::vector<std::byte>>(bytes);
    plan_.keeps.push_back(memory);
    return {.first = memory->data(), .row_bytes = bytes};
  }

  schedule finish() {
    plan_.num_rounds = std::max(1, plan_.num_rounds);
    return std::move(plan_);
  }

private:
  int round() const { return plan_.num_rounds - 1; }

  wire_span wire(std::vector<block> const& blocks) {
    std::int64_t bytes = 0;
    for (block const& memory : blocks)
      bytes += memory.bytes();
    return staged(bytes);
  }

  cartesian_structure const& on_;
};

void append_blocks(std::vector<block>& all, std::vector<block> const& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The edge of each vector, or nothing if the vector leads beyond the grid.
std::vector<std::optional<int>> invert(std::vector<int> const& edges2vectors, int num_vectors) {
  std::vector<std::optional<int>> vectors2edges(num_vectors);
  for (int e = 0; e < std::ssize(edges2vectors); ++e)
    if (edges2vectors[e] >= 0)
      vectors2edges[edges2vectors[e]] = e;
  return vectors2edges;
}

/// Plans one process's part in an alltoall. Before phase k, this process holds at most one block of
/// each vector v: that of the process that lies v's first k entries back.
class alltoall_planner {
public:
  alltoall_planner(loaded_structure const& loaded, std::vector<elements> const& sends,
                   std::vector<elements> const& receives)
      : on_(loaded.on),
        bytes_(loaded.bytes),
        dimensions_(in_order(on_)),
        receives_(receives),
        vectors2destinations_(invert(on_.destinations2vectors, on_.vectors.size())),
        vectors2sources_(invert(on_.sources2vectors, on_.vectors.size())),
        passing_(on_.vectors.size()),
        write_(on_) {
    for (elements const& values : sends)
      sends_.push_back(blocks_of(values));
  }

  /// Sends copies of the blocks, which are made before any message arrives.
  void copy_sends_aside() {
    write_.begin_phase();
    for (int e = 0; e < std::ssize(sends_); ++e)
      if (int const v = on_.destinations2vectors[e]; v >= 0) {
        std::vector const copies{write_.scratch_block(bytes_[v])};
        write_.copy(std::exchange(sends_[e], copies), copies);
      }
  }

  schedule make() {
    for (int k = 0; k < std::ssize(dimensions_); ++k) {
      auto const steps = lengths(on_, dimensions_[k]);
      if (!steps.empty())
        write_.begin_phase();
      // All sends of a phase are packed before its messages arrive, so that slots can be reused.
      for (int length : steps)
        write_.send(dimensions_[k], length, blocks_with(k, length, true));
      for (int length : steps)
        write_.receive(dimensions_[k], length, blocks_with(k, length, false));
    }
    copy_own_blocks();
    return write_.finish();
  }

private:
  /// The blocks that move by `length` in phase `k`: those that leave this process, or arrive.
  std::vector<block> blocks_with(int k, int length, bool leaving) {
    std::vector<block> all;
    for (int v = 0; v < std::ssize(on_.vectors); ++v)
      if (on_.vectors[v][dimensions_[k]] == length && passes_here(v, leaving ? k : k + 1))
        append_blocks(all, leaving ? blocks_before(v, k) : blocks_after(v, k));
    return all;
  }

  /// True if the process that lies `v`'s first `length` entries back sends a block along `v`.
  bool passes_here(int v, int length) const {
    vector const& whole = on_.vectors[v];
    auto const source = on_.moved(on_.place, opposite(prefix(whole, dimensions_, length)));
    return source && on_.moved(*source, whole);
  }

  bool is_first_step(int v, int k) const { return is_zero(prefix(on_.vectors[v], dimensions_, k)); }
  bool is_last_step(int v, int k) const {
    return prefix(on_.vectors[v], dimensions_, k + 1) == on_.vectors[v];
  }

  std::vector<block> blocks_before(int v, int k) {
    return is_first_step(v, k) ? sends_[*vectors2destinations_[v]] : slot(v);
  }
  std::vector<block> blocks_after(int v, int k) {
    return is_last_step(v, k) ? blocks_of(receives_[*vectors2sources_[v]]) : slot(v);
  }

  std::vector<block> slot(int v) {
    if (!passing_[v])
      passing_[v] = write_.scratch_block(bytes_[v]);
    return {*passing_[v]};
  }

  void copy_own_blocks() {
    for (int v = 0; v < std::ssize(on_.vectors); ++v)
      if (is_zero(on_.vectors[v]))
        write_.copy(sends_[*vectors2destinations_[v]], blocks_of(receives_[*vectors2sources_[v]]));
  }

  cartesian_structure const& on_;
  vector_bytes const& bytes_;
  std::vector<int> dimensions_;
  std::vector<std::vector<block>> sends_; ///< [destinations]
  std::vector<elements> const& receives_;
  std::vector<std::optional<int>> vectors2destinations_, vectors2sources_;
  std::vector<std::optional<block>> passing_;
  phase_writer write_;
};

/// Plans one process's part in an allgather. A path is a prefix of vectors, and stands for the
/// block of the process that lies so far back; in phase k blocks of paths arrive that end in a step
/// along dimension k.
class allgather_planner {
public:
  allgather_planner(cartesian_structure const& on, std::int64_t block_bytes, elements const& send,
                    std::vector<elements> const& receives)
      : on_(on),
        dimensions_(cheapest_order(on)),
        send_(send),
        receives_(receives),
        block_bytes_(block_bytes),
        write_(on) {
    for (int e = 0; e < std::ssize(receives); ++e)
      if (on.sources2vectors[e] >= 0)
        sources_[on.vectors[on.sources2vectors[e]]].push_back(e);
  }

  schedule make() {
    for (int k = 0; k < std::ssize(dimensions_); ++k) {
      auto const steps = steps_of_phase(on_, dimensions_, k);
      if (steps.empty())
        continue;
      write_.begin_phase();
      for (int length : lengths(on_, dimensions_[k]))
        write_.send(dimensions_[k], length, leaving(steps, k, length));
      for (int length : lengths(on_, dimensions_[k]))
        write_.receive(dimensions_[k], length, arriving(steps, k, length));
    }
    copy_repeated_blocks();
    return write_.finish();
  }

private:
  int step(vector const& path, int k) const { return path[dimensions_[k]]; }

  /// True if the block of `source` has a destination that it reaches along `path`.
  bool is_wanted(vector const& source, vector const& path, int length) const {
    return std::ranges::any_of(on_.vectors, [&](vector const& v) {
      return prefix(v, dimensions_, length) == path && on_.moved(source, v);
    });
  }

  /// The blocks that this process sends by `length` in phase k.
  std::vector<block> leaving(std::set<vector> const& paths, int k, int length) {
    std::vector<block> all;
    for (vector const& path : paths) {
      vector const before = prefix(path, dimensions_, k);
      auto const source = on_.moved(on_.place, opposite(before));
      if (step(path, k) == length && source && is_wanted(*source, path, k + 1))
        append_blocks(all, blocks_at(before));
    }
    return all;
  }

  std::vector<block> arriving(std::set<vector> const& paths, int k, int length) {
    std::vector<block> all;
    for (vector const& path : paths) {
      auto const source = on_.moved(on_.place, opposite(path));
      if (step(path, k) == length && source && is_wanted(*source, path, k + 1))
        append_blocks(all, blocks_at(path));
    }
    return all;
  }

  /// The memory of a path's block: the user's if this process is a destination.
  std::vector<block> blocks_at(vector const& path) {
    if (is_zero(path))
      return blocks_of(send_);
    if (auto const found = sources_.find(path); found != sources_.end())
      return blocks_of(receives_[found->second.front()]);
    auto [found, is_new] = passing_.try_emplace(path);
    if (is_new)
      found->second = write_.scratch_block(block_bytes_);
    return {found->second};
  }

  /// Copies a block that several edges bring from the first, and the process's own block.
  void copy_repeated_blocks() {
    auto const has_copies = [](auto const& vector_and_edges) {
      auto const& [v, edges] = vector_and_edges;
      return edges.size() > 1 || is_zero(v);
    };
    if (std::ranges::none_of(sources_, has_copies))
      return;
    write_.begin_phase();
    for (auto const& [v, edges] : sources_)
      for (int e = is_zero(v) ? 0 : 1; e < std::ssize(edges); ++e)
        write_.copy(blocks_at(v), blocks_of(receives_[edges[e]]));
  }

  cartesian_structure const& on_;
  std::vector<int> dimensions_;
  elements const& send_;
  std::vector<elements> const& receives_;
  std::map<vector, std::vector<int>> sources_; ///< edges by the vectors that lead here
  std::map<vector, block> passing_;
  std::int64_t block_bytes_;
  phase_writer write_;
};

} // namespace

exchange_counts direct_counts(cartesian_structure const& on) {
  return direct_counts(on, one_for_each(on));
}

exchange_counts direct_counts(cartesian_structure const& on, vector_bytes const& bytes) {
  struct traffic {
    int blocks = 0;
    std::int64_t bytes = 0;
  };
  std::map<vector, traffic> processes;
  for (int v = 0; v < std::ssize(bytes); ++v)
    if (vector const process = reduced(on, on.vectors[v]); bytes[v] > 0 && !is_zero(process)) {
      ++processes[process].blocks;
      processes[process].bytes += bytes[v];
    }
  exchange_counts sum;
  for (auto const& [process, sent] : processes) {
    sum.messages += sent.bytes <= most_merged_bytes ? 1 : sent.blocks;
    sum.volume += sent.bytes;
  }
  return sum;
}

exchange_counts direct_allgather_counts(cartesian_structure const& on) {
  std::set<vector> processes;
  for (vector const& v : on.vectors)
    processes.insert(reduced(on, v));
  processes.erase(vector(on.extent.size()));
  auto const sent = std::ssize(processes);
  return {static_cast<int>(sent), sent, std::ssize(on.vectors) - sent};
}

exchange_counts combined_alltoall_counts(cartesian_structure const& on) {
  return combined_alltoall_counts(on, one_for_each(on));
}

exchange_counts combined_alltoall_counts(cartesian_structure const& on, vector_bytes const& bytes) {
  exchange_counts sum{.messages = num_messages(loaded_part(on, bytes).on)};
  for (int v = 0; v < std::ssize(bytes); ++v)
    sum.volume += bytes[v] * num_hops(on.vectors[v]);
  return sum;
}

exchange_counts combined_allgather_counts(cartesian_structure const& on) {
  std::set<vector> const distinct(on.vectors.begin(), on.vectors.end());
  auto const own = std::ranges::count_if(on.vectors, is_zero);
  auto const copies =
      std::ssize(on.vectors) - std::ssize(distinct) - std::max<std::ptrdiff_t>(own - 1, 0);
  return {num_messages(on), allgather_volume(on, cheapest_order(on)), copies};
}

bool can_combine(cartesian_structure const& on) {
  return num_messages(on) < direct_counts(on).messages;
}

bool combining_pays(cartesian_structure const& on, exchange_counts const& direct,
                    exchange_counts const& combined, std::int64_t block_bytes) {
  // Cost of a byte relative to one that travels unpacked: that inside a node, where it is highest.
  constexpr double packed = 6, copied = 0.3;
  auto const seconds = [&](exchange_counts const& counts, double cost_of_sent) {
    double const volume = cost_of_sent * static_cast<double>(counts.volume) +
                          copied * static_cast<double>(counts.copied);
    return counts.messages * on.network.latency +
           volume * static_cast<double>(block_bytes) * on.network.seconds_per_byte;
  };
  return seconds(combined, packed) < seconds(direct, 1);
}

schedule make_combined_alltoall(cartesian_structure const& on, vector_bytes const& bytes,
                                std::vector<elements> const& sends,
                                std::vector<elements> const& receives, bool overlapping) {
  auto const loaded = loaded_part(on, bytes);
  alltoall_planner planner(loaded, sends, receives);
  if (overlapping)
    planner.copy_sends_aside();
  return planner.make();
}

schedule make_combined_allgather(cartesian_structure const& on, std::int64_t block_bytes,
                                 elements const& send, std::vector<elements> const& receives) {
  return allgather_planner(on, block_bytes, send, receives).make();
}

} // namespace seam::detail
