#include <seam/framework/checkpoint/detail/stored_array.hpp>

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
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

std::string name_of_number(number_format const& format) {
  char const* const kind = format.is_floating ? "float" : format.is_signed ? "int" : "uint";
  return fmt::format("{}{}", kind, 8 * format.bytes);
}

std::string name_with_length(std::string const& name, std::size_t bytes) {
  return fmt::format("{}, {} bytes", name, bytes);
}

std::string name_of_struct(std::type_info const& type, std::size_t bytes) {
  int failure = 0;
  std::unique_ptr<char, decltype(&std::free)> const readable(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &failure), &std::free);
  return name_with_length(failure == 0 ? readable.get() : type.name(), bytes);
}

} // namespace seam::detail
