#include <seam/framework/files/animation.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/output_file.hpp>

#include <fmt/format.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cmath>

namespace seam {
using namespace detail;

namespace {

struct delete_encoder {
  void operator()(WebPAnimEncoder* encoder) const noexcept { WebPAnimEncoderDelete(encoder); }
};

/// A picture in libwebp's form.
struct webp_picture {
  explicit webp_picture(picture const& drawn) {
    static_assert(sizeof(color) == 3);
    WebPPictureInit(&native);
    native.use_argb = 1;
    native.width = static_cast<int>(drawn.width);
    native.height = static_cast<int>(drawn.height);
    auto const* const bytes = reinterpret_cast<std::uint8_t const*>(drawn.pixels.data());
    if (WebPPictureImportRGB(&native, bytes, 3 * native.width) == 0)
      refuse("animation: no memory for a frame");
  }
  webp_picture(webp_picture const&) = delete;
  webp_picture& operator=(webp_picture const&) = delete;
  ~webp_picture() { WebPPictureFree(&native); }

  WebPPicture native{};
};

/// Colors as they are, packed fast rather than small.
WebPConfig exact() {
  constexpr int level = 2; // of 9
  WebPConfig how;
  WebPConfigInit(&how);
  WebPConfigLosslessPreset(&how, level);
  how.exact = 1;
  return how;
}

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

/// The frames of one file. Threads: one at a time.
class detail::webp_encoder {
public:
  /// @throws usage_error  frames are too large for the format
  webp_encoder(std::int64_t width, std::int64_t height) : width_(width), height_(height) {
    if (std::max(width, height) > WEBP_MAX_DIMENSION)
      refuse(fmt::format("animation: frames of {} x {} pixels (expected at most {} on each side)",
                         width, height, WEBP_MAX_DIMENSION));
    WebPAnimEncoderOptions options;
    WebPAnimEncoderOptionsInit(&options);
    encoder_.reset(WebPAnimEncoderNew(static_cast<int>(width), static_cast<int>(height), &options));
    if (!encoder_)
      refuse("animation: no memory for an encoder");
  }

  /// Adds a frame, shown for `milliseconds`.
  /// @throws usage_error  it has another size, or libwebp refuses it
  void add(picture const& frame, int milliseconds) {
    if (frame.width != width_ || frame.height != height_)
      refuse(fmt::format("animation: a frame of {} x {} pixels (expected {} x {}, as the first)",
                         frame.width, frame.height, width_, height_));
    webp_picture drawn(frame);
    auto const how = exact();
    if (WebPAnimEncoderAdd(encoder_.get(), &drawn.native, time_, &how) == 0)
      refuse(fmt::format("animation: {}", WebPAnimEncoderGetError(encoder_.get())));
    time_ += milliseconds;
  }

  /// Returns the bytes of the file.
  /// @throws usage_error  libwebp refuses the frames together
  std::string finish() {
    WebPData file;
    WebPDataInit(&file);
    WebPAnimEncoderAdd(encoder_.get(), nullptr, time_, nullptr); // the last one's end
    if (WebPAnimEncoderAssemble(encoder_.get(), &file) == 0)
      refuse(fmt::format("animation: {}", WebPAnimEncoderGetError(encoder_.get())));
    std::string bytes(reinterpret_cast<char const*>(file.bytes), file.size);
    WebPDataClear(&file);
    return bytes;
  }

private:
  std::int64_t width_, height_;
  std::unique_ptr<WebPAnimEncoder, delete_encoder> encoder_;
  int time_ = 0; ///< [ms]
};

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
