#include <seam/mapping/detail/offset_list.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace seam {
using namespace detail;

void offset_list::push_back(std::span<int const> offset, int weight) {
  if (std::ssize(offset) != num_dimensions_)
    refuse(fmt::format("neighborhood: offset ({}) in {} dimensions (expected as many numbers)",
                       fmt::join(offset, ", "), num_dimensions_));
  if (std::ranges::count(offset, std::numeric_limits<int>::min()) != 0)
    refuse(fmt::format("neighborhood: offset ({}) has no opposite", fmt::join(offset, ", ")));
  if (weight < 1)
    refuse(fmt::format("neighborhood: weight {} of offset ({}) (expected at least 1)", weight,
                       fmt::join(offset, ", ")));
  flat_.insert(flat_.end(), offset.begin(), offset.end());
  weights_.push_back(weight);
}

std::span<int const> offset_list::operator[](int i) const {
  return flat().subspan(i * num_dimensions_, num_dimensions_);
}

offset_list offset_list::inverse() const {
  offset_list opposite = *this;
  for (int& entry : opposite.flat_)
    entry = -entry;
  return opposite;
}

std::vector<reach> offset_list::radius() const {
  std::vector<reach> result(num_dimensions_);
  for (int i = 0; i < size(); ++i)
    for (int a = 0; a < std::ssize(result); ++a) {
      result[a].below = std::max(result[a].below, -(*this)[i][a]);
      result[a].above = std::max(result[a].above, (*this)[i][a]);
    }
  return result;
}

std::span<int const> offset_list::flat() const noexcept { return flat_; }
std::span<int const> offset_list::weights() const noexcept { return weights_; }

bool operator==(offset_list const& a, offset_list const& b) {
  return a.num_dimensions_ == b.num_dimensions_ && a.flat_ == b.flat_ && a.weights_ == b.weights_;
}

} // namespace seam
