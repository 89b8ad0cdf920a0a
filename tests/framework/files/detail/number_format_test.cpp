#include <support/catch.hpp>

#include <seam/framework/files/detail/number_format.hpp>

#include <cstdint>
#include <limits>
#include <vector>

using namespace seam::detail;

namespace {

template <class T>
void check_format() {
  using limits = std::numeric_limits<T>;
  number_format const found = format_of<T>();
  CHECK(found.is_floating == !limits::is_integer);
  CHECK(found.is_signed == limits::is_signed);
  CHECK(8 * found.bytes == (limits::is_integer ? limits::digits + (limits::is_signed ? 1 : 0)
                                               : limits::digits + (limits::digits > 24 ? 11 : 8)));
}

} // namespace

TEST_CASE("the format of numbers is what their type says") {
  check_format<std::int8_t>();
  check_format<std::uint8_t>();
  check_format<std::int16_t>();
  check_format<std::uint16_t>();
  check_format<std::int32_t>();
  check_format<std::uint32_t>();
  check_format<std::int64_t>();
  check_format<std::uint64_t>();
  check_format<float>();
  check_format<double>();
}

TEST_CASE("formats are equal if all of sign, kind and length are") {
  std::vector<number_format> const all{format_of<std::int32_t>(), format_of<std::uint32_t>(),
                                       format_of<std::int64_t>(), format_of<std::uint64_t>(),
                                       format_of<float>(),        format_of<double>()};
  for (int a = 0; a < std::ssize(all); ++a)
    for (int b = 0; b < std::ssize(all); ++b)
      CHECK((all[a] == all[b]) == (a == b));
  CHECK(format_of<long>() == format_of<std::int64_t>());
}
