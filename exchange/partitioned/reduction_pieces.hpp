/// Pieces of partitioned reductions: the elements between two places at which a process cuts its
/// buffer into partitions. Each piece is reduced by itself.
///
///     root          |     0     |     1     |     2     |
///     other ranks   |        0        |        1        |
///     pieces        |     0     |  1  |  2  |     3     |
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/partitioned/edges.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/reduction_rounds.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace seam::detail {

/// The schedules of one reduction, which goes on partition by partition. The k-th reduces piece k of the buffers; its gate 0 opens when
/// the partition in which the piece lies is ready.
struct pipeline_plan {
  std::vector<schedule> pieces;
  std::vector<reduction_tags> tags{}; ///< [pieces] of their messages; all ranks draw the same
  std::vector<int> partitions2pieces; ///< partition p has pieces [p], ..., [p + 1] - 1
  bool has_result = true;             ///< partitions arrive at this process
  bool has_values = true;             ///< partitions leave this process
};

/// Makes the parts of a reduction of several plans, such as one for each block, plan by plan.
///
/// @param plans  with tags for each piece
/// Collective: over `over`. The number of collective calls does not depend on that of pieces.
std::vector<std::unique_ptr<part>> make_pipelines(Communicator const& over,
                                                  std::vector<pipeline_plan> plans);

/// Makes the part that carries out MPIX_Pbuf_prepare for a reduction: it runs `tokens`, whose
/// messages say that buffers are ready. Local.
std::unique_ptr<part> make_readiness(Communicator const& over, schedule tokens,
                                     reduction_tags const& tags);

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

/// Makes the operation of one pipeline plan, or of one for each destination.
class reduction_maker {
public:
  /// Returns the part that stands for the part of the plan that has been added k-th.
  using wrapper = std::function<std::unique_ptr<part>(int k, std::unique_ptr<part> made)>;

  reduction_maker(Communicator const& over, char const* name);

  /// @param edge  of the partitions that leave
  void add(pipeline_plan plan, int edge);

  /// Makes the operation, whose parts are what `wrap` returns for those of the plans. Collective.
  partitioned_operation finish(wrapper const& wrap);
  partitioned_operation finish();

private:
  void draw_tags();

  Communicator const& over_;
  schedule tokens_;
  std::vector<pipeline_plan> plans_;
  std::vector<int> edges_; ///< [plans]
  partitioned_parts made_;
};

/// The operation of one pipeline plan, whose partitions are for all edges. Collective.
partitioned_operation make_reduction(Communicator const& over, char const* name,
                                     pipeline_plan plan);

} // namespace seam::detail
