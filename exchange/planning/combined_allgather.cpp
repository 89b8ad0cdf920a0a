#include <seam/exchange/planning/combining.hpp>

#include <seam/exchange/planning/cartesian_vectors.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace seam::detail {
namespace {

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
        write_.send(dimensions_[k], length, moving(steps, k, length, true));
      for (int length : lengths(on_, dimensions_[k]))
        write_.receive(dimensions_[k], length, moving(steps, k, length, false));
    }
    copy_repeated_blocks();
    return write_.finish();
  }

private:
  int step(grid_vector const& path, int k) const { return path[dimensions_[k]]; }

  /// True if the block of `source` has a destination that it reaches along `path`.
  bool is_wanted(grid_vector const& source, grid_vector const& path, int length) const {
    return std::ranges::any_of(on_.vectors, [&](grid_vector const& v) {
      return prefix(v, dimensions_, length) == path && on_.moved(source, v);
    });
  }

  /// The blocks that move by `length` in phase k: those that leave this process, or arrive.
  std::vector<block> moving(std::set<grid_vector> const& paths, int k, int length, bool leaving) {
    std::vector<block> all;
    for (grid_vector const& path : paths) {
      grid_vector const here = leaving ? prefix(path, dimensions_, k) : path;
      auto const source = on_.moved(on_.place, opposite(here));
      if (step(path, k) == length && source && is_wanted(*source, path, k + 1))
        append_blocks(all, blocks_at(here));
    }
    return all;
  }

  /// The memory of a path's block: the user's if this process is a destination.
  std::vector<block> blocks_at(grid_vector const& path) {
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
  std::map<grid_vector, std::vector<int>> sources_; ///< edges by the vectors that lead here
  std::map<grid_vector, block> passing_;
  std::int64_t block_bytes_;
  phase_writer write_;
};

} // namespace

schedule make_combined_allgather(cartesian_structure const& on, std::int64_t block_bytes,
                                 elements const& send, std::vector<elements> const& receives) {
  return allgather_planner(on, block_bytes, send, receives).make();
}

} // namespace seam::detail
