/// Pieces of partitioned reductions: the elements between two places at which a process cuts its
/// buffer into partitions. Each piece is reduced by itself.
///
///     root          |     0     |     1     |     2     |
///     other ranks   |        0        |        1        |
///     pieces        |     0     |  1  |  2  |     3     |
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/edges.hpp>
#include <seam/exchange/partitioned/pipelines.hpp>
#include <seam/exchange/partitioned/reduction_rounds.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <cstdint>
#include <functional>
#include <set>
#include <string>

namespace seam::detail {

/// `count` elements of `buffer` from `first` on; of MPI_IN_PLACE the address stays.
elements slice(partitioned_buffer const& buffer, std::int64_t first, std::int64_t count);

/// The two buffers of a reduction; `send` may be MPI_IN_PLACE.
struct reduction_buffers {
  partitioned_buffer send, receive;

  partitioned_buffer const& values() const { return is_in_place(send) ? receive : send; }

  /// What the planners of reduction_rounds.hpp need to know for `count` elements from `first` on.
  reduction_terms terms(Communicator const& over, MPI_Op op, std::int64_t first, std::int64_t count,
                        bool has_result) const;
};

/// Compiles elements [first, first + count) of the buffers.
using piece_planner = std::function<schedule(std::int64_t first, std::int64_t count)>;

/// Where the partitions of `buffer` begin, and where the last ends. [elements]
std::set<std::int64_t> cuts_of(partitioned_buffer const& buffer);

/// A pipeline for each piece between two of `cuts`, among which are those of `own`.
pipeline_plan plan_pieces(std::set<std::int64_t> const& cuts, partitioned_buffer const& own,
                          piece_planner const& plan);

/// "8 partitions of 100 MPI_INT"
std::string words_of(partitioned_buffer const& buffer);

/// Refuses buffers of a process with a result that differ, and types for which `op` is not defined.
void check_alike(char const* name, reduction_buffers const& buffers, bool has_result, MPI_Op op);

} // namespace seam::detail
