#include <seam/framework/checkpoint/detail/element_format.hpp>

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

namespace seam::detail {

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
