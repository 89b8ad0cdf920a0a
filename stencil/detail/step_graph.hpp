/// Step graphs: some steps of a program as tasks for threads, with the tasks that each waits for.
///
///     tile        computes one kernel at one box of cells
///     copy        copies values to ghosts of the same rank, along periodic axes
///     fill        fills ghosts beyond a border
///     set         computes values that all ranks know
///     reduce      merges what tiles have contributed to a value; reduced: all ranks have
///     start, gate, arrival, done    of an exchange: its receive buffers are free; one message may
///                 leave; one message has come; all messages have left and come
///
/// All waiting follows from boxes: a tile that reads a ghost which a message brings waits for that
/// arrival, and one that reads none starts at once. Tiles at the same place form a column
/// (step_tiles.hpp).
#pragma once

#include <seam/exchange/engine/operation.hpp>
#include <seam/stencil/detail/step_dataflow.hpp>
#include <seam/stencil/detail/task_graph.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seam::detail {

enum class task_kind { tile, copy, fill, set, reduce, reduced, start, gate, arrival, done };

/// One task. What `item` numbers depends on its kind: a copy, a fill, an exchange, a reduction.
struct step_task {
  task_kind kind;
  int instance = -1, item = -1, edge = -1;
  box3 cells{}, where{}; ///< of tiles, in indices relative to the block
  bool counts = true;
};

struct ghost_copy {
  component_memory memory;
  std::int64_t element_bytes;
  box3 to;       ///< in indices relative to the block
  index3 source; ///< offset from a ghost to its source
};

struct ghost_fill {
  border_fill const* fill;
  component_memory memory, other; ///< other: of the field that the condition reads
  box3 part;
  field_state const* field; ///< whose conditions these are
  int component;
  bool keeps_memory; ///< no other field fills these ghosts while the graph runs again and again
};

/// An exchange that is kept, and run once or several times in a graph.
struct kept_exchange {
  operation prepared;
  std::optional<in_flight> flying;
  std::vector<int> sources, destinations; ///< ranks
};

/// One run of an exchange in a graph.
struct exchange_run {
  kept_exchange* kept;
  int start, done;
  std::vector<int> gates, arrivals; ///< tasks
};

struct reduction_run {
  step_reduction* reduction;
  int reduced; ///< task
};

/// The shape of tiles. 0: any.
struct tile_shape {
  index3 extent{};
};

using kept_exchanges = std::map<std::string, std::unique_ptr<kept_exchange>>;

/// The columns that any thread begins, in their order, and those of each thread, which another one
/// begins only if it has nothing else to do.
struct column_shares {
  std::vector<int> in_order;
  std::vector<std::vector<int>> of_threads;
};

/// The tasks of some steps on this rank. Built once by make_step_graph().
struct step_graph {
  std::vector<step_task> tasks;
  task_graph::order order;
  std::vector<std::vector<int>> columns; ///< tiles, one behind the other
  column_shares shares;
  std::vector<int> loose; ///< tasks that are neither tiles nor of messages
  std::vector<exchange_run> exchanges;
  std::vector<reduction_run> reductions;
  std::vector<ghost_copy> copies;
  std::vector<ghost_fill> fills;

  std::vector<step_kernel const*> kernels;      ///< [instances]
  std::vector<std::vector<bound_access>> bound; ///< [instances][accesses]
  std::vector<int> passes;                      ///< [instances]
  step_value const* time = nullptr;             ///< that conditions on borders get
  std::int64_t num_computed = 0; ///< values that kernels compute, those of other ranks included
};

/// @param flow    of a program that outlives the graph
/// @param arrays  [arrays of the flow]
/// @param kept    exchanges of other graphs of the same program, to be shared; they outlive it
/// Collective: over `over`.
step_graph make_step_graph(step_dataflow const& flow, std::vector<step_array> const& arrays,
                           Communicator const& over, kept_exchanges& kept, tile_shape const& shape);

} // namespace seam::detail
