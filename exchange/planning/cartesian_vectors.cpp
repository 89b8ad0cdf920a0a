#include <seam/exchange/planning/cartesian_vectors.hpp>

#include <algorithm>
#include <numeric>

namespace seam::detail {

grid_vector prefix(grid_vector const& v, std::vector<int> const& dimensions, int length) {
  grid_vector part(v.size());
  for (int k = 0; k < length; ++k) {
    int const d = dimensions[k];
    part[d] = v[d];
  }
  return part;
}

grid_vector opposite(grid_vector v) {
  for (int& entry : v)
    entry = -entry;
  return v;
}

grid_vector along(std::ptrdiff_t num_dimensions, int dimension, int length) {
  grid_vector v(num_dimensions);
  v[dimension] = length;
  return v;
}

grid_vector reduced(cartesian_structure const& on, grid_vector v) {
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

bool is_zero(grid_vector const& v) {
  return std::ranges::all_of(v, [](int entry) { return entry == 0; });
}

std::set<int> lengths(cartesian_structure const& on, int dimension) {
  std::set<int> all;
  for (grid_vector const& v : on.vectors)
    all.insert(v[dimension]);
  all.erase(0);
  return all;
}

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

std::ptrdiff_t num_hops(grid_vector const& v) {
  return std::ranges::count_if(v, [](int entry) { return entry != 0; });
}

int num_messages(cartesian_structure const& on) {
  int sum = 0;
  for (int dimension : in_order(on))
    sum += static_cast<int>(lengths(on, dimension).size());
  return sum;
}

std::set<grid_vector> steps_of_phase(cartesian_structure const& on,
                                     std::vector<int> const& dimensions, int k) {
  std::set<grid_vector> steps;
  for (grid_vector const& v : on.vectors)
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

} // namespace seam::detail
