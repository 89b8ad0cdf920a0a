#include <seam/framework/program/value_checks.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace seam {

value_check name_ends_with(std::initializer_list<std::string_view> endings) {
  return [all = std::vector(endings)](std::string const& name) {
    auto const is_at_end = [&](std::string_view ending) { return name.ends_with(ending); };
    if (std::ranges::any_of(all, is_at_end))
      return std::string();
    return fmt::format("'{}' (expected a name that ends with {})", name, fmt::join(all, " or "));
  };
}

value_check is_read_by(std::function<void(std::string const& value)> parse) {
  return [read = std::move(parse)](std::string const& value) {
    try {
      read(value);
      return std::string();
    } catch (usage_error const& mistake) {
      return std::string(mistake.what());
    }
  };
}

} // namespace seam
