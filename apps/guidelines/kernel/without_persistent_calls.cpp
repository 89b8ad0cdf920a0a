// The MPI library has no persistent collectives.
#include "kernel/calls.hpp"

namespace guidelines {

std::optional<std::function<void(std::uint64_t)>> persistent_call(experiment const&,
                                                                  native_scene&) {
  return std::nullopt;
}

} // namespace guidelines
