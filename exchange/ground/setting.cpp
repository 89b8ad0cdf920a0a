#include <seam/exchange/ground/setting.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

namespace seam::detail {

bool on_off_setting::first_value() const {
  char const* const text = std::getenv(variable_);
  if (text == nullptr)
    return on_by_default_;
  std::string_view const value = text;
  if (value != "on" && value != "off")
    refuse(fmt::format("{} '{}' (expected on or off)", variable_, value));
  return value == "on";
}

bool on_off_setting::is_on() {
  state now = now_.load(std::memory_order_relaxed);
  if (now == state::unknown) {
    now = first_value() ? state::on : state::off;
    now_.store(now, std::memory_order_relaxed);
  }
  return now == state::on;
}

} // namespace seam::detail
