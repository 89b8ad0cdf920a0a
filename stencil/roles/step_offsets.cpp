#include <seam/stencil/roles/step_offsets.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam {

stencil::stencil(neighborhood const& of)
    : list_([of](int num_axes) {
        offset_list const found = of.expand(num_axes);
        std::vector<std::vector<int>> all(found.size());
        for (int i = 0; i < std::ssize(all); ++i)
          all[i].assign(found[i].begin(), found[i].end());
        return all;
      }) {}

std::vector<std::vector<int>> stencil::expand(int num_axes) const {
  if (!list_)
    return {std::vector<int>(num_axes, 0)};
  auto all = list_(num_axes);
  for (auto const& offset : all)
    if (std::ssize(offset) != num_axes)
      throw usage_error(
          fmt::format("steps: an offset with {} entries on a grid of {} axes (expected {})",
                      offset.size(), num_axes, num_axes),
          true);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

stencil star(int radius) {
  if (radius < 0)
    throw usage_error(fmt::format("steps: a star of radius {} (expected 0 or more)", radius), true);
  return stencil([radius](int num_axes) {
    std::vector<std::vector<int>> all{std::vector<int>(num_axes, 0)};
    for (int a = 0; a < num_axes; ++a)
      for (int step = -radius; step <= radius; ++step) {
        all.emplace_back(num_axes, 0);
        all.back()[a] = step;
      }
    return all;
  });
}

stencil line(int axis, int from, int to) {
  if (from > to)
    throw usage_error(fmt::format("steps: a line from {} to {} (expected an end that is not before "
                                  "the beginning)",
                                  from, to),
                      true);
  return stencil([=](int num_axes) {
    if (axis < 0 || axis >= num_axes)
      throw usage_error(
          fmt::format("steps: offsets along axis {} (expected 0 to {})", axis, num_axes - 1), true);
    std::vector<std::vector<int>> all;
    for (int step = from; step <= to; ++step) {
      all.emplace_back(num_axes, 0);
      all.back()[axis] = step;
    }
    return all;
  });
}

stencil at(std::vector<std::vector<int>> const& list) {
  return stencil([list](int) { return list; });
}

stencil operator+(stencil const& first, stencil const& second) {
  return stencil([first, second](int num_axes) {
    auto all = first.expand(num_axes);
    auto const more = second.expand(num_axes);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  });
}

namespace detail {

std::vector<index3> padded_offsets(stencil const& of, int num_axes) {
  std::vector<index3> all;
  for (auto const& offset : of.expand(num_axes)) {
    all.emplace_back();
    std::ranges::copy(offset, all.back().end() - num_axes);
  }
  return all;
}

} // namespace detail
} // namespace seam
