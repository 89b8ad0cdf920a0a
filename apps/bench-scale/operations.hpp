/// Operations: what the survey measures, part by part of the library. Each function is collective over
/// all.world().
#pragma once

#include "survey.hpp"

#include <cstddef>

namespace scale_bench {

/// Messages in a ring of all ranks: one of 8 bytes, several at a time, a long one.
void measure_network(survey& all);

/// Names of the rows that measure_network() adds, and what they send.
inline constexpr char const *a_message = "message", *further_messages = "16 messages",
                            *a_long_message = "message of 32 KiB";
inline constexpr int num_further_messages = 15;
inline constexpr std::size_t length_of_long_message = 1 << 15;

/// Communicators, graphs, the order of ranks, and sparse exchanges by each algorithm.
void measure_exchange(survey& all);

/// Grids of two and three dimensions, fields, halos, steps of Life and Jacobi, and checkpoints.
void measure_grids(survey& all);

/// Meshes, their partition and migration, halos, and a step of diffusion.
void measure_meshes(survey& all);

} // namespace scale_bench
