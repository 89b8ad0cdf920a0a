#include <seam/framework/files/webp_encoder.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>

namespace seam::detail {
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

} // namespace

struct webp_encoder::state {
  std::int64_t width, height;
  std::unique_ptr<WebPAnimEncoder, delete_encoder> encoder;
  int time = 0; ///< [ms]
};

webp_encoder::webp_encoder(std::int64_t width, std::int64_t height)
    : state_(new state{width, height, nullptr}) {
  if (std::max(width, height) > WEBP_MAX_DIMENSION)
    refuse(fmt::format("animation: frames of {} x {} pixels (expected at most {} on each side)",
                       width, height, WEBP_MAX_DIMENSION));
  WebPAnimEncoderOptions options;
  WebPAnimEncoderOptionsInit(&options);
  state_->encoder.reset(WebPAnimEncoderNew(static_cast<int>(width), static_cast<int>(height),
                                           &options));
  if (!state_->encoder)
    refuse("animation: no memory for an encoder");
}

webp_encoder::~webp_encoder() = default;

void webp_encoder::add(picture const& frame, int milliseconds) {
  if (frame.width != state_->width || frame.height != state_->height)
    refuse(fmt::format("animation: a frame of {} x {} pixels (expected {} x {}, as the first)",
                       frame.width, frame.height, state_->width, state_->height));
  webp_picture drawn(frame);
  auto const how = exact();
  if (WebPAnimEncoderAdd(state_->encoder.get(), &drawn.native, state_->time, &how) == 0)
    refuse(fmt::format("animation: {}", WebPAnimEncoderGetError(state_->encoder.get())));
  state_->time += milliseconds;
}

std::string webp_encoder::finish() {
  WebPData file;
  WebPDataInit(&file);
  WebPAnimEncoderAdd(state_->encoder.get(), nullptr, state_->time, nullptr); // the last one's end
  if (WebPAnimEncoderAssemble(state_->encoder.get(), &file) == 0)
    refuse(fmt::format("animation: {}", WebPAnimEncoderGetError(state_->encoder.get())));
  std::string bytes(reinterpret_cast<char const*>(file.bytes), file.size);
  WebPDataClear(&file);
  return bytes;
}

} // namespace seam::detail
