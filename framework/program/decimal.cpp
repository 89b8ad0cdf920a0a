#include <seam/framework/program/decimal.hpp>

#include <charconv>
#include <system_error>

namespace seam {

template <class T>
std::optional<T> decimal(std::string_view text) {
  T number{};
  char const* const end = text.data() + text.size();
  auto const [behind, trouble] = std::from_chars(text.data(), end, number);
  return trouble == std::errc() && behind == end ? std::optional(number) : std::nullopt;
}

template std::optional<short> decimal(std::string_view);
template std::optional<int> decimal(std::string_view);
template std::optional<long> decimal(std::string_view);
template std::optional<long long> decimal(std::string_view);
template std::optional<unsigned short> decimal(std::string_view);
template std::optional<unsigned> decimal(std::string_view);
template std::optional<unsigned long> decimal(std::string_view);
template std::optional<unsigned long long> decimal(std::string_view);
template std::optional<float> decimal(std::string_view);
template std::optional<double> decimal(std::string_view);
template std::optional<long double> decimal(std::string_view);

} // namespace seam
