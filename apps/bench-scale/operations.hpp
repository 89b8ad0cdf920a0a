/// Operations: what the survey measures, part by part of the library.
#pragma once

#include "survey.hpp"

namespace scale_bench {

/// Communicators, graphs, the order of ranks, and sparse exchanges by each algorithm.
/// Collective: over all.world(), as the other ones.
void measure_exchange(survey& all);

/// Grids of two and three dimensions, fields, halos, steps of Life and Jacobi, and checkpoints.
void measure_grids(survey& all);

/// Meshes, their partition and migration, halos, and a step of diffusion.
void measure_meshes(survey& all);

} // namespace scale_bench
