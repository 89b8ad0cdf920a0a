#include <seam/exchange/communicator/detail/cartesian_structure.hpp>

namespace seam {

std::optional<cartesian_structure::vector> cartesian_structure::moved(vector const& at,
                                                                      vector const& by) const {
  vector point(at.size());
  for (int i = 0; i < std::ssize(at); ++i) {
    int const sum = at[i] + by[i];
    bool const inside = sum >= 0 && sum < extent[i];
    if (!inside && !periodic[i])
      return std::nullopt;
    point[i] = inside ? sum : ((sum % extent[i]) + extent[i]) % extent[i];
  }
  return point;
}

int cartesian_structure::rank_at(vector const& point) const {
  std::int64_t rank = 0;
  for (int i = 0; i < std::ssize(point); ++i)
    rank += point[i] * stride[i];
  return static_cast<int>(rank);
}

} // namespace seam
