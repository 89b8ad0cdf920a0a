#include <seam/framework/files/field_names.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace seam::detail {
namespace {

bool is_plain(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view others = "0123456789-.";
  return !name.empty() && letters.find(name.front()) != letters.npos &&
         std::ranges::all_of(name, [&](char c) {
           return letters.find(c) != letters.npos || others.find(c) != others.npos;
         });
}

} // namespace

void check_field_names(std::span<std::string const> names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (!is_plain(*name))
      refuse(fmt::format("vtkhdf: the name of field '{}' (expected letters, digits, '_', '-' and "
                         "'.', a letter or '_' first)",
                         *name));
    if (std::find(names.begin(), name, *name) != name)
      refuse(fmt::format("vtkhdf: two fields are named '{}'", *name));
  }
}

} // namespace seam::detail
