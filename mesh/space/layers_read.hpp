/// Layers read: how many layers of ghost cells the kernels of some steps need.
#pragma once

#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/mesh/space/mesh_space.hpp>

#include <string>

namespace seam::detail {

/// Why a mesh has too few ghost cells for the steps of a flow; empty if it has enough. Steps without
/// messages between them compute at copies what later kernels read there, each kernel one hop farther.
/// Local; the same on all ranks.
std::string against_layers(mesh_space const& space, step_dataflow const& flow);

} // namespace seam::detail
