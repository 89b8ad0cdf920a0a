#include <seam/framework/files/animation.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/webp_encoder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace seam {
using namespace detail;

namespace {

/// The range that holds `before` and all finite numbers; {0, 1} if there are none.
std::pair<double, double> range_with(std::optional<std::pair<double, double>> before,
                                     shown_numbers const& numbers) {
  for (double const value : numbers.values)
    if (std::isfinite(value))
      before = before ? std::pair(std::min(before->first, value), std::max(before->second, value))
                      : std::pair(value, value);
  return before.value_or(std::pair(0.0, 1.0));
}

} // namespace

animation::animation(mpi::comm_view over, std::string path, int milliseconds)
    : over_(over), path_(std::move(path)), milliseconds_(milliseconds) {
  detail::call_scope const here("animation");
  collectively(over_, [&] {
    if (milliseconds_ < 1)
      refuse(fmt::format("animation: frames that are shown for {} ms (expected 1 or more)",
                         milliseconds_));
  });
  require_writable(over_, path_);
}

animation::animation(animation&&) noexcept = default;
animation& animation::operator=(animation&&) noexcept = default;
animation::~animation() = default;

void animation::add(shown_numbers const& numbers, picture_options options) {
  add(collectively(over_, [&] {
    if (over_.rank() != 0)
      return picture();
    if (!options.range)
      range_ = options.range = range_with(range_, numbers);
    return draw(numbers, options);
  }));
}

std::pair<double, double> animation::widen_range(std::pair<double, double> shown) {
  if (range_)
    shown = {std::min(range_->first, shown.first), std::max(range_->second, shown.second)};
  range_ = shown;
  return shown;
}

void animation::add(picture const& frame) {
  collectively(over_, [&] {
    if (over_.rank() != 0)
      return;
    if (!encoder_)
      encoder_ = std::make_unique<webp_encoder>(frame.width, frame.height);
    encoder_->add(frame, milliseconds_);
  });
}

void animation::finish() {
  auto const bytes = collectively(over_, [&] {
    if (over_.rank() != 0)
      return std::string();
    if (!encoder_)
      refuse("animation: no frames (expected at least 1)");
    return encoder_->finish();
  });
  write_text(over_, bytes, path_);
}

} // namespace seam
