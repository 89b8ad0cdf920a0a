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
  auto const next_bytes = bytes().subspan(position_, static_cast<std::size_t>(count));
  position_ += next_bytes.size();
  return next_bytes;
}

std::size_t incoming_message::unpack_length(std::size_t least_bytes) {
  auto const length = unpack<std::uint64_t>();
  auto const left = static_cast<std::uint64_t>(bytes_left());
  if (least_bytes > 0 && length > left / least_bytes)
    refuse(fmt::format("unpack: {} elements of {} bytes of the message from rank {} (expected at "
                       "most the {} bytes left of its {})",
                       length, least_bytes, source_, left, bytes_.size()));
  return length;
}

void detail::refuse_span(int source, std::size_t length, std::size_t span_length) {
  refuse(fmt::format("unpack: a span of {} elements for {} of the message from rank {} (expected a "
                     "span of that length)",
                     span_length, length, source));
}

} // namespace seam
