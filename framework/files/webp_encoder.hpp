/// Packing pictures for an animated WebP file by libwebp.
#pragma once

#include <seam/framework/files/picture.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace seam::detail {

/// The frames of one file. Threads: one at a time.
class webp_encoder {
public:
  /// @throws usage_error  frames are too large for the format
  webp_encoder(std::int64_t width, std::int64_t height);
  webp_encoder(webp_encoder const&) = delete;
  webp_encoder& operator=(webp_encoder const&) = delete;
  ~webp_encoder();

  /// Adds a frame, shown for `milliseconds`.
  /// @throws usage_error  it has another size, or libwebp refuses it
  void add(picture const& frame, int milliseconds);

  /// Returns the bytes of the file.
  /// @throws usage_error  libwebp refuses the frames together
  std::string finish();

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace seam::detail
