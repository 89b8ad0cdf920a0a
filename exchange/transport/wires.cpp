#include <seam/exchange/transport/wires.hpp>

#include <seam/exchange/pack.hpp>

namespace seam {

void wires::pack_at(send_step const& what, std::byte* wire) const {
  for (block const& source : steps_.sources_of(what.sources))
    wire = seam::pack(source, wire);
}

void wires::unpack_from(std::byte const* wire, receive_step const& what) const {
  for (target const& one : steps_.targets_of(what.targets))
    wire = seam::unpack(wire, one.where, one.combine);
}

} // namespace seam
