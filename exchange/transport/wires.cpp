#include <seam/exchange/transport/wires.hpp>

#include <seam/exchange/schedule/pack.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>

#include <algorithm>
#include <cstring>

namespace seam::detail {

void wires::pack_at(send_step const& sent, std::byte* wire) const {
  for (block const& source : steps_.sources_of(sent.sources))
    wire = detail::pack(source, wire);
}

std::int64_t wires::pack_piece(block const& source, std::int64_t at, std::byte* to) {
  if (!source.is_contiguous()) {
    detail::pack(source, to);
    return source.bytes();
  }
  std::int64_t const bytes = std::min(longest_piece, source.bytes() - at);
  std::memcpy(to, source.first + at, bytes);
  return bytes;
}

void wires::unpack_from(std::byte const* wire, receive_step const& received) const {
  for (target const& into : steps_.targets_of(received.targets))
    wire = detail::unpack(wire, into.where, into.combine);
}

void wires::put(std::byte const* from, receive_step const& received) const {
  if (received.targets.size() > 0 && received.wire.direct == nullptr)
    unpack_from(from, received);
  else
    std::memcpy(at(received.wire), from, received.wire.bytes);
}

std::int64_t wires::follow(std::byte const* from, receive_step const& received, std::int64_t packed,
                           std::int64_t done) const {
  if (received.wire.direct == nullptr) {
    if (packed < received.wire.bytes)
      return 0;
    put(from, received);
    return packed;
  }
  std::memcpy(received.wire.direct + done, from + done, packed - done);
  return packed;
}

} // namespace seam::detail
