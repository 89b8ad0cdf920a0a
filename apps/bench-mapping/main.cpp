// seam-bench-mapping compares the order that seam gives the ranks with its cost model: it counts
// the bytes on the network interfaces of each host and times halos, for each strategy of mapping.
//
// Sample run, on four "hosts" of one machine (root only):
//   tests/multihost/run-on-hosts.sh --hosts 4 --ranks 24 -- build/release/bin/seam-bench-mapping
//
// Expected: for each placement of the ranks on the hosts the bytes of the model beside those that
// were counted, in a ratio near 1, and the times; x rival below 1 in the lines of best.
#include "hosts.hpp"

#include <kit/benchmark.hpp>
#include <seam/seam.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace mapping_bench {
namespace {

struct options {
  std::vector<int> block{512, 512}; ///< extents of a rank's block, two or three [cells]
  int width = 8;                    ///< layers of ghosts
  std::vector<int> processes;       ///< on each axis; empty: seam chooses
  bool periodic = false;
  std::vector<std::string> placements{"in-order", "dealt-out"};
  std::vector<std::string> strategies{"identity", "scotch", "best"};
  int halos = 10; ///< number of halos whose bytes are counted together
  int repetitions = 20;
  double tolerance = 0; ///< difference of counted and predicted bytes, relative; 0: any [1]
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 16 seam-bench-mapping
  tests/multihost/run-on-hosts.sh --hosts 4 --ranks 24 --rate 200mbit -- seam-bench-mapping

Placements: in-order takes the ranks host after host, dealt-out one of each host in turn, as mpiexec
--map-by node does. The model's bytes are the values that the mapping's cost counts; the counted
ones include the headers of the network. Where ranks are many and cores are few, some halos wait for a
core or for TCP: the least time then tells of the links, and the median of these waits.)";

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Compares what mappings move between hosts with what they should, and times them.");
  auto const add_extents = [&](char const* option, std::vector<int>& extents, char const* help) {
    return cli.cli()
        .add_option(option, extents, help)
        ->delimiter('x')
        ->expected(2, 3)
        ->type_name("NxN[xN]");
  };
  add_extents("--block", wanted.block, "cells of each rank's block of doubles")
      ->check(CLI::Range(1, 1 << 20, "N"))
      ->capture_default_str();
  cli.add("--width", wanted.width, "layers of ghosts at each face").between(1, 1 << 20, "N");
  add_extents("--processes", wanted.processes, "on each axis; default: seam chooses")
      ->check(CLI::Range(0, 1 << 30, "N"));
  cli.add_flag("--periodic", wanted.periodic, "make all axes rings");
  cli.add("--placements", wanted.placements, "of the ranks on the hosts")
      .one_of(std::vector(wanted.placements));
  auto const strategies = seam::mapping_strategies();
  cli.add("--strategies", wanted.strategies, "of mapping; 'best' is judged by the others")
      .one_of({strategies.begin(), strategies.end()});
  cli.add("--halos", wanted.halos, "whose bytes are counted together").between(1, 1 << 30, "COUNT");
  bench::add_repetitions(cli, wanted.repetitions);
  cli.add("--tolerance", wanted.tolerance,
          "fail if counted bytes differ by a larger fraction from the model's, or those of 'best' "
          "exceed another strategy's")
      .between(1e-9, 1e9, "FRACTION");
  cli.end_help(examples);
}

/// A grid whose blocks one strategy has mapped to the processes.
template <int D>
struct mapped_grid {
  mapped_grid(seam::Communicator const& over, seam::grid_options<D> const& wanted)
      : strategy(wanted.reordering.strategy),
        grid(over, wanted),
        u(grid.template field<double>("u")),
        halo(seam::make_halo(u)) {}

  std::string strategy;
  seam::Grid<D> grid;
  seam::Field<double, D> u;
  seam::Halo halo;
};

/// Bytes that one halo moves between hosts.
struct movement {
  std::string placement, strategy;
  seam::cut_volume model;       ///< the cost of the mapping
  std::vector<traffic> counted; ///< [hosts]
};

/// Makes a communicator of all ranks in the order of a placement.
seam::Communicator placed(seam::Communicator const& world, hosts const& on,
                          std::string const& placement) {
  int const key = placement == "dealt-out" ? on.index_on_host() * on.count() + on.host()
                                           : on.host() * world.size() + on.index_on_host();
  return *world.split(0, key);
}

/// The cells `width` away along each axis, which make ghosts of that width at the faces alone.
seam::neighborhood faces(int dimensions, int width) {
  std::vector<std::vector<int>> list;
  for (int axis = 0; axis < dimensions; ++axis)
    for (int const s : {-width, width}) {
      list.emplace_back(dimensions, 0);
      list.back()[axis] = s;
    }
  return seam::offsets(list);
}

template <int D>
seam::grid_options<D> grid_for(int num_ranks, options const& wanted) {
  auto const lengths = wanted.processes.empty() ? std::vector<int>(D) : wanted.processes;
  auto const processes = seam::dims_create(num_ranks, lengths);
  seam::grid_options<D> made{.neighborhood = faces(D, wanted.width)};
  for (int a = 0; a < D; ++a) {
    made.processes[a] = processes[a];
    made.cells[a] = wanted.block[a] * processes[a];
    made.periodic[a] = wanted.periodic;
  }
  return made;
}

/// Counts the bytes that one halo moves between hosts, on average.
/// @return  [hosts] the same on all ranks
/// Collective: over `world`.
std::vector<traffic> count(seam::Communicator const& world, hosts const& on, seam::Halo& halo,
                           int halos) {
  halo.run(); // the set-up of the first run is not counted
  seam::mpi::barrier(world);
  auto counted = on.count_traffic();
  for (int i = 0; i < halos; ++i)
    halo.run();
  seam::mpi::barrier(world);
  auto const end = on.count_traffic();
  for (int host = 0; host < std::ssize(end); ++host)
    counted[host] = {(end[host].sent - counted[host].sent) / halos,
                     (end[host].received - counted[host].received) / halos};
  return counted;
}

template <int D>
movement move(seam::Communicator const& world, hosts const& on, std::string const& placement,
              mapped_grid<D>& mapped, int halos) {
  auto model = mapped.grid.report().after.front().volume;
  model.sum *= sizeof(double);
  model.worst *= sizeof(double);
  return {placement, mapped.strategy, model, count(world, on, mapped.halo, halos)};
}

std::int64_t sent_by_all(std::vector<traffic> const& links) {
  std::int64_t sum = 0;
  for (traffic const& link : links)
    sum += link.sent;
  return sum;
}

std::int64_t most_of_one(std::vector<traffic> const& links) {
  std::int64_t most = 0;
  for (traffic const& link : links)
    most = std::max({most, link.sent, link.received});
  return most;
}

/// The bytes of all hosts, and of the one with the most, predicted and counted, with their ratios.
std::string table(std::vector<movement> const& all) {
  auto text = fmt::format("{:<10} {:<14} {:>12} {:>12} {:>7} {:>12} {:>12} {:>7}\n", "placement",
                          "mapping", "sum", "counted", "ratio", "worst", "counted", "ratio");
  for (movement const& moved : all) {
    text += fmt::format("{:<10} {:<14}", moved.placement, moved.strategy);
    for (auto const& [model, counted] : {std::pair{moved.model.sum, sent_by_all(moved.counted)},
                                         {moved.model.worst, most_of_one(moved.counted)}})
      text += fmt::format(" {:>12} {:>12} {:>7}", model, counted,
                          model > 0 ? fmt::format("{:.3f}", double(counted) / double(model)) : "-");
    text += '\n';
  }
  return text + "\n";
}

/// Refuses counted bytes that differ from the model's.
void require_as_predicted(movement const& moved, double tolerance) {
  auto const require = [&](char const* what, std::int64_t model, std::int64_t counted) {
    double const allowed = tolerance * static_cast<double>(model);
    if (std::abs(static_cast<double>(counted - model)) > allowed)
      seam::refuse(fmt::format("{} {}: {} {} bytes between hosts (expected {} within {})",
                               moved.placement, moved.strategy, what, counted, model, tolerance));
  };
  require("sum of", moved.model.sum, sent_by_all(moved.counted));
  require("worst host with", moved.model.worst, most_of_one(moved.counted));
}

/// Refuses a 'best' that moves more bytes than another strategy with the same placement.
void require_least(movement const& best, movement const& other, double tolerance) {
  auto const most =
      static_cast<std::int64_t>((1 + tolerance) * static_cast<double>(sent_by_all(other.counted)));
  if (best.model.sum > other.model.sum || sent_by_all(best.counted) > most)
    seam::refuse(fmt::format("{} best: {} bytes between hosts (expected at most the {} of {})",
                             best.placement, sent_by_all(best.counted), sent_by_all(other.counted),
                             other.strategy));
}

void require_all(std::vector<movement> const& all, double tolerance) {
  for (movement const& moved : all) {
    require_as_predicted(moved, tolerance);
    for (movement const& other : all)
      if (moved.strategy == "best" && other.placement == moved.placement)
        require_least(moved, other, tolerance);
  }
}

template <int D>
void compare(seam::Runtime& runtime, options const& wanted) {
  seam::Communicator const& world = runtime.world();
  hosts const on(world);
  std::vector<movement> movements;
  seam::benchmark_table times;
  for (std::string const& placement : wanted.placements) {
    // 1. Map the same grid to the processes by each strategy.
    auto const over = placed(world, on, placement);
    auto const placed = on.placement_of(over.context());
    auto declared = grid_for<D>(over.size(), wanted);
    std::vector<mapped_grid<D>> grids;
    for (std::string const& strategy : wanted.strategies) {
      declared.reordering = {.strategy = strategy, .placed = placed};
      grids.emplace_back(over, declared);
    }

    // 2. Count the bytes between hosts, one strategy after the other.
    for (auto& mapped : grids)
      movements.push_back(move(world, on, placement, mapped, wanted.halos));

    // 3. Time the halos in turn.
    std::vector<seam::variant> variants;
    for (auto& mapped : grids)
      variants.push_back({.name = mapped.strategy,
                          .run = [&mapped] { mapped.halo.run(); },
                          .is =
                              mapped.strategy == "best" ? seam::role::subject : seam::role::rival});
    auto const bytes = seam::mpi::allreduce(world.context(), grids[0].halo.num_bytes(), MPI_SUM);
    times.add(seam::time_in_turn(
        world, {.question = placement, .bytes = bytes, .repetitions = wanted.repetitions},
        variants));
  }
  seam::print(runtime, "{}{}", table(movements), times.text());

  // 4. Fail if a tolerance is given and the model is wrong.
  seam::collectively(world, [&] {
    if (wanted.tolerance > 0)
      require_all(movements, wanted.tolerance);
  });
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::collectively(runtime, [&] {
    if (!wanted.processes.empty() && wanted.processes.size() != wanted.block.size())
      seam::refuse(fmt::format("--processes has {} numbers for a --block of {} (expected as many)",
                               wanted.processes.size(), wanted.block.size()));
  });
  seam::print(runtime, "{}\n\n", runtime.describe());
  wanted.block.size() == 2 ? compare<2>(runtime, wanted) : compare<3>(runtime, wanted);
}

} // namespace
} // namespace mapping_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, mapping_bench::add_options, mapping_bench::run);
}
