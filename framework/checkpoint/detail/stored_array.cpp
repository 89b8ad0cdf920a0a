#include <seam/framework/checkpoint/detail/stored_array.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {

std::int64_t stored_array::bytes() const noexcept {
  std::int64_t all = element.bytes;
  for (std::int64_t const extent : extents)
    all *= extent;
  return all;
}

stored_array stored_value(std::string name, std::byte* memory, element_format element) {
  std::int64_t const bytes = element.bytes;
  std::string meaning = "a value of " + element.name;
  stored_array made{std::move(name), std::move(meaning), std::move(element), {}, true, {}, [] {}};
  made.visit_runs = [=](byte_window window, bool, run_visitor const& visit) {
    std::int64_t const begin = std::max<std::int64_t>(0, window.begin);
    std::int64_t const end = std::min(bytes, window.end);
    if (begin < end)
      visit({begin, memory + begin, end - begin});
  };
  return made;
}

} // namespace seam::detail
