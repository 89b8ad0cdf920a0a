/// Step graphs: some steps of a program as tasks for threads, with the tasks that each waits for.
///
///     tile        computes one kernel at one region
///     copy        copies values to other images of them
///     fill        fills values beyond the ends of the space
///     set         computes values that all ranks know
///     reduce      merges what tiles have contributed to a value; reduced: all ranks have
///     start, gate, arrival, done    of an exchange: its receive buffers are free; one message may
///                 leave; one message has come; all messages have left and come
///
/// All waiting follows from regions: a tile that reads a ghost which a message brings waits for that
/// arrival, and one that reads none starts at once. Tiles at the same place form a column
/// (step_tiling).
#pragma once

#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/exchange/steps/flow/step_exchanges.hpp>
#include <seam/exchange/steps/flow/task_graph.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seam::detail {

enum class task_kind { tile, copy, fill, set, reduce, reduced, start, gate, arrival, done };

/// One task. What `item` numbers depends on its kind: a tile (of sets, too, which have no places), a
/// copy, a fill, an exchange, a reduction.
struct step_task {
  task_kind kind;
  int instance = -1, item = -1, edge = -1;
};

/// What a tile computes, see step_call.
struct computed_tile {
  step_region places, computed;
  bool counts;
  std::shared_ptr<piece_plan const> plan;
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

/// The tasks of some steps on this rank. Built once by make_step_graph().
struct step_graph {
  std::vector<step_task> tasks;
  task_graph::order order;
  std::vector<computed_tile> tiles;
  std::vector<std::vector<int>> columns; ///< tasks of tiles, one behind the other
  column_shares shares;
  std::vector<int> loose; ///< tasks that are neither tiles nor of messages
  std::vector<exchange_run> exchanges;
  std::vector<reduction_run> reductions;
  std::vector<std::unique_ptr<ghost_work>> copies, fills;

  std::vector<step_kernel const*> kernels;      ///< [instances]
  std::vector<std::vector<bound_access>> bound; ///< [instances][accesses]
  std::vector<int> passes;                      ///< [instances]
  std::vector<std::int64_t> steps;              ///< [instances] after the first one
  step_value const* time = nullptr;             ///< that conditions on borders get
  std::int64_t num_computed = 0; ///< values that kernels compute, those of other ranks included
};

/// @param flow    of a program that outlives the graph
/// @param arrays  [arrays of the flow]
/// @param kept    exchanges of other graphs of the same program, to be shared; they outlive it
/// @param over    the space of the steps
/// Collective: over its processes.
step_graph make_step_graph(step_dataflow const& flow, std::vector<step_array> const& arrays,
                           step_space const& over, kept_exchanges& kept,
                           tile_settings const& tiles);

/// Carries out a task that computes: a tile, or values. What runners have in common.
/// @param first   step of the graph
/// @param worker  number of the thread
/// @throws        as step_body::compute()
/// Threads: tasks that do not wait for each other may be carried out at the same time.
void compute_task(step_graph const& graph, step_task const& task, std::int64_t first, int worker);

} // namespace seam::detail
