#include <seam/mesh/input/id_homes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

constexpr int bits_of_word = 64;

std::uint64_t bit_of(std::int64_t number) { return std::uint64_t{1} << (number % bits_of_word); }

} // namespace

id_set::id_set(std::span<global_id const> ids) {
  if (ids.empty())
    return;
  auto const [least, most] = std::ranges::minmax(ids);
  std::int64_t const num_words = (most - least) / bits_of_word + 1;
  if (num_words <= std::ssize(ids)) {
    first_ = least;
    words_.resize(num_words);
    mark(ids);
    return;
  }
  sorted_.assign(ids.begin(), ids.end());
  std::ranges::sort(sorted_);
  if (auto const twice = std::ranges::adjacent_find(sorted_); twice != sorted_.end())
    least_duplicate_ = *twice;
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
}

void id_set::mark(std::span<global_id const> ids) {
  for (global_id const id : ids) {
    std::uint64_t& word = words_[(id - first_) / bits_of_word];
    if ((word & bit_of(id - first_)) != 0)
      least_duplicate_ = std::min(least_duplicate_, id);
    word |= bit_of(id - first_);
  }
}

bool id_set::contains(global_id id) const noexcept {
  if (words_.empty())
    return std::ranges::binary_search(sorted_, id);
  auto const number = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first_);
  return number / bits_of_word < words_.size() &&
         (words_[number / bits_of_word] & bit_of(static_cast<std::int64_t>(number))) != 0;
}

std::vector<global_id> id_set::list() const {
  if (words_.empty())
    return sorted_;
  std::vector<global_id> ids;
  for (std::int64_t w = 0; w < std::ssize(words_); ++w)
    for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
      ids.push_back(first_ + w * bits_of_word + std::countr_zero(left));
  return ids;
}

namespace {

/// Sends ids to their homes; returns the ids whose home this rank is.
std::vector<global_id> send_ids_home(Communicator const& over, std::span<global_id const> ids) {
  int const num_ranks = over.size();
  std::vector<std::vector<global_id>> homes2ids(num_ranks);
  for (auto& share : homes2ids)
    share.reserve(ids.size() / num_ranks);
  for (global_id const id : ids)
    homes2ids[home_of_id(id, num_ranks)].push_back(id);
  std::vector<global_id> here = std::exchange(homes2ids[over.rank()], {});
  SparseExchange through(over);
  for (int rank = 0; rank < num_ranks; ++rank)
    if (!homes2ids[rank].empty())
      through.pack_bytes(rank, std::as_bytes(std::span(homes2ids[rank])));
  through.exchange();
  while (through.receive_message()) {
    auto const begin = here.size();
    here.resize(begin + through.bytes_left() / sizeof(global_id));
    for (global_id& id : std::span(here).subspan(begin))
      through.unpack(id);
  }
  return here;
}

} // namespace

int home_of_id(global_id id, int num_ranks) noexcept {
  auto const mixed = static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15U;
  return static_cast<int>((mixed >> 32U) % static_cast<std::uint64_t>(num_ranks));
}

id_homes::id_homes(Communicator const& over, std::span<global_id const> ids)
    : over_(over), here_(send_ids_home(over, ids)) {}

global_id id_homes::least_duplicate() const {
  return mpi::allreduce(over_.context(), here_.least_duplicate(), MPI_MIN);
}

global_id id_homes::least_missing(std::span<global_id const> ids) const {
  global_id least = no_id;
  for (global_id const id : send_ids_home(over_, id_set(ids).list()))
    if (id < least && !here_.contains(id))
      least = id;
  return mpi::allreduce(over_.context(), least, MPI_MIN);
}

} // namespace seam::detail
