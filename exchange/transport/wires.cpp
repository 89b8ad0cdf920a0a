#include <seam/exchange/transport/wires.hpp>

#include <seam/exchange/schedule/pack.hpp>

#include <algorithm>
#include <cstring>

namespace seam {
namespace {

/// What a sender packs before it tells its receiver. [bytes]
constexpr std::int64_t piece = 32768;

} // namespace

void wires::pack_at(send_step const& what, std::byte* wire) const {
  for (block const& source : steps_.sources_of(what.sources))
    wire = seam::pack(source, wire);
}

std::int64_t wires::pack_piece(block const& source, std::int64_t at, std::byte* to) {
  if (!source.is_contiguous()) {
    seam::pack(source, to);
    return source.bytes();
  }
  std::int64_t const bytes = std::min(piece, source.bytes() - at);
  std::memcpy(to, source.first + at, static_cast<std::size_t>(bytes));
  return bytes;
}

void wires::unpack_from(std::byte const* wire, receive_step const& what) const {
  for (target const& one : steps_.targets_of(what.targets))
    wire = seam::unpack(wire, one.where, one.combine);
}

void wires::put(std::byte const* from, receive_step const& what) const {
  if (what.targets.size() > 0 && what.wire.direct == nullptr)
    unpack_from(from, what);
  else
    std::memcpy(at(what.wire), from, static_cast<std::size_t>(what.wire.bytes));
}

std::int64_t wires::follow(std::byte const* from, receive_step const& what, std::int64_t packed,
                           std::int64_t done) const {
  if (what.wire.direct == nullptr) {
    if (packed < what.wire.bytes)
      return 0;
    put(from, what);
    return packed;
  }
  std::memcpy(what.wire.direct + done, from + done, static_cast<std::size_t>(packed - done));
  return packed;
}

} // namespace seam
