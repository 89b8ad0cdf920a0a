#include <seam/exchange/planning/detail/vector_bytes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace seam::detail {
namespace {

/// For each vector the most bytes of its blocks on any process, and the fewest. These are stored
/// negated, so that one MPI_MAX reduces both.
class extremes {
public:
  explicit extremes(int num_vectors)
      : num_vectors_(num_vectors), numbers_(2 * num_vectors, -unlimited) {}

  /// Takes in the bytes of each edge, in the order of `edges2vectors`.
  void take_in(std::vector<int> const& edges2vectors, std::vector<std::int64_t> const& bytes) {
    if (bytes.size() != edges2vectors.size())
      return force_disagreement();
    for (int e = 0; e < std::ssize(bytes); ++e)
      if (edges2vectors[e] >= 0)
        take_in(edges2vectors[e], bytes[e]);
  }

  /// Makes the processes disagree on all vectors.
  void force_disagreement() { std::ranges::fill(numbers_, unlimited); }

  std::span<std::int64_t> numbers() { return numbers_; }

  std::optional<vector_bytes> common() const {
    vector_bytes bytes(num_vectors_);
    for (int v = 0; v < num_vectors_; ++v) {
      bytes[v] = numbers_[v];
      if (bytes[v] != -numbers_[num_vectors_ + v])
        return std::nullopt;
    }
    return bytes;
  }

private:
  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

  void take_in(int v, std::int64_t bytes) {
    if (bytes < 0)
      return force_disagreement();
    std::int64_t &most = numbers_[v], &fewest = numbers_[num_vectors_ + v];
    most = std::max(most, bytes);
    fewest = std::max(fewest, -bytes);
  }

  int num_vectors_;
  std::vector<std::int64_t> numbers_;
};

} // namespace

std::optional<vector_bytes> agree_on_bytes(mpi::comm_view over, cartesian_structure const& on,
                                           std::optional<edge_bytes> const& own) {
  extremes seen(on.vectors.size());
  if (own) {
    seen.take_in(on.destinations2vectors, own->leaving);
    seen.take_in(on.sources2vectors, own->arriving);
  } else {
    seen.force_disagreement();
  }
  mpi::allreduce(over, seen.numbers(), MPI_MAX);
  return seen.common();
}

} // namespace seam::detail
