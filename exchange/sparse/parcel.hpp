/// Parcel: a message as the algorithms of sparse exchange see it.
#pragma once

#include <cstddef>
#include <span>

namespace seam::detail {

struct parcel {
  int to; ///< rank
  std::span<std::byte const> bytes;
};

} // namespace seam::detail
