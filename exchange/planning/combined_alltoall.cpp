#include <seam/exchange/planning/combining.hpp>

#include <seam/exchange/planning/cartesian_vectors.hpp>

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// The edge of each vector, or nothing if the vector leads beyond the grid.
std::vector<std::optional<int>> invert(std::vector<int> const& edges2vectors, int num_vectors) {
  std::vector<std::optional<int>> vectors2edges(num_vectors);
  for (int e = 0; e < std::ssize(edges2vectors); ++e)
    if (edges2vectors[e] >= 0)
      vectors2edges[edges2vectors[e]] = e;
  return vectors2edges;
}

/// Plans one process's part in an alltoall. Before phase k, this process holds at most one block of
/// each grid_vector v: that of the process that lies v's first k entries back.
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
    grid_vector const& whole = on_.vectors[v];
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

} // namespace

schedule make_combined_alltoall(cartesian_structure const& on, vector_bytes const& bytes,
                                std::vector<elements> const& sends,
                                std::vector<elements> const& receives, bool overlapping) {
  auto const loaded = loaded_part(on, bytes);
  alltoall_planner planner(loaded, sends, receives);
  if (overlapping)
    planner.copy_sends_aside();
  return planner.make();
}

} // namespace seam::detail
