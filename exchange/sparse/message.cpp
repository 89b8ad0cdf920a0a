#include <seam/exchange/sparse/message.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

std::span<std::byte const> incoming_message::unpack_bytes(std::int64_t count) {
  if (count < 0 || count > bytes_left())
    refuse(fmt::format("unpack: {} bytes of the message from rank {} (expected at most the {} left "
                       "of its {})",
                       count, source_, bytes_left(), bytes_.size()));
  auto const next_bytes = bytes().subspan(position_, count);
  position_ += count;
  return next_bytes;
}

std::int64_t incoming_message::unpack_length(std::int64_t least_bytes) {
  auto const length = unpack<std::int64_t>();
  std::int64_t const left = bytes_left();
  if (length < 0 || (least_bytes > 0 && length > left / least_bytes))
    refuse(fmt::format("unpack: {} elements of {} bytes of the message from rank {} (expected at "
                       "most the {} bytes left of its {})",
                       length, least_bytes, source_, left, bytes_.size()));
  return length;
}

void detail::refuse_span(int source, std::int64_t length, std::int64_t span_length) {
  refuse(fmt::format("unpack: a span of {} elements for {} of the message from rank {} (expected a "
                     "span of that length)",
                     span_length, length, source));
}

} // namespace seam
