// MPI's collectives in all forms: on neighborhoods, with a sum in place of MPI's missing reductions, and
// among all processes. Where MPI lacks a w form its v form takes part, since all types are the same here.
// Persistent requests are MPI 4's, or those that Open MPI 4 has as an extension.
#include "problem.hpp"
#include "rivals.hpp"

#include <memory>
#include <tuple>

#if MPI_VERSION >= 4
#define SEAM_BENCH_INIT(operation, Name, arguments)                                                \
  by_mpi<form::persistent>(operation, here, "MPI_" #Name "_init", arguments, MPI_##Name##_init),
#else
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define SEAM_BENCH_INIT(operation, Name, arguments)                                                \
  by_mpi<form::persistent>(operation, here, "MPIX_" #Name "_init", arguments, MPIX_##Name##_init),
#else
#define SEAM_BENCH_INIT(operation, Name, arguments)
#endif
#endif

/// A call in its blocking and its nonblocking form, whose names differ in a letter.
#define SEAM_BENCH_TWO(operation, Name, name, arguments)                                           \
  by_mpi<form::blocking>(operation, here, "MPI_" #Name, arguments, MPI_##Name),                    \
      by_mpi<form::nonblocking>(operation, here, "MPI_I" #name, arguments, MPI_I##name),

/// In these and, where the library has it, the persistent one.
#define SEAM_BENCH_ALL(operation, Name, name, arguments)                                           \
  SEAM_BENCH_TWO(operation, Name, name, arguments) SEAM_BENCH_INIT(operation, Name, arguments)

namespace collective_bench {
namespace {

/// Blocks of one length for each edge.
auto equal_blocks(problem& on) {
  return std::tuple(on.out.data(), on.count, MPI_DOUBLE, on.in.data(), on.count, MPI_DOUBLE);
}

/// Blocks of one length, received into scratch from which the blocks of all sources are added up.
auto blocks_to_add(problem& on) {
  on.arrived.resize(on.in.memory.size());
  return std::tuple(on.out.data(), on.count, MPI_DOUBLE, on.arrived.data(), on.count, MPI_DOUBLE);
}

/// Blocks of different lengths.
auto blocks_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.places.data(), MPI_DOUBLE,
                    on.in.data(), on.in.counts.data(), on.in.places.data(), MPI_DOUBLE);
}

/// Blocks with a datatype each; neighborhood collectives take displacements as MPI_Aint.
auto blocks_by_types(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.far_places.data(),
                    on.out.types.data(), on.in.data(), on.in.counts.data(), on.in.far_places.data(),
                    on.in.types.data());
}

/// Blocks with a datatype each, for MPI_Alltoallw on complete communicators.
auto blocks_by_types_of_all(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.byte_places.data(),
                    on.out.types.data(), on.in.data(), on.in.counts.data(),
                    on.in.byte_places.data(), on.in.types.data());
}

/// One block to send; blocks of different lengths to receive.
auto from_others_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.own_count, MPI_DOUBLE, on.in.data(), on.in.counts.data(),
                    on.in.places.data(), MPI_DOUBLE);
}

/// Blocks of different lengths to send; one to receive, from the root.
auto to_others_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.places.data(), MPI_DOUBLE,
                    on.in.data(), on.own_count, MPI_DOUBLE, on.root);
}

template <class Arguments>
auto with_root(Arguments const& arguments) {
  return [=](problem& on) { return std::tuple_cat(arguments(on), std::tuple(on.root)); };
}

/// The root's block, sent or received.
auto block_of_root(problem& on) {
  return std::tuple(on.is_root() ? on.out.data() : on.in.data(), on.count, MPI_DOUBLE, on.root);
}

/// Values to reduce.
auto values(problem& on) {
  return std::tuple(on.out.data(), on.in.data(), on.count, MPI_DOUBLE, MPI_SUM);
}

auto values_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.in.data(), on.out.counts.data(), MPI_DOUBLE, MPI_SUM);
}

auto nothing(problem&) { return std::tuple(); }

void wait_for(seam::mpi::request& started) {
  seam::mpi::check(MPI_Wait(started.receive(), MPI_STATUS_IGNORE), "MPI_Wait");
}

/// A rival that runs call(arguments..., comm); in other forms with a request, for which it waits. A
/// persistent one is made once by call(arguments..., comm, info, request), and started in each run.
template <form How, class Arguments, class Call>
rival by_mpi(std::string_view operation, place where, std::string name, Arguments const& arguments,
             Call call) {
  auto make = [=](problem& on) -> seam::variant {
    auto const given = std::tuple_cat(arguments(on), std::tuple(on.native));
    if constexpr (How == form::blocking) {
      return {.name = name,
              .run = [=] { seam::mpi::check(std::apply(call, given), name.c_str()); }};
    } else if constexpr (auto const request = std::make_shared<seam::mpi::request>();
                         How == form::nonblocking) {
      auto const all = std::tuple_cat(given, std::tuple(request->receive()));
      return {.name = name, .run = [=] {
                seam::mpi::check(std::apply(call, all), name.c_str());
                wait_for(*request);
              }};
    } else {
      auto const all = std::tuple_cat(given, std::tuple(MPI_INFO_NULL, request->receive()));
      seam::mpi::check(std::apply(call, all), name.c_str());
      return {.name = name, .run = [=] {
                seam::mpi::check(MPI_Start(request->receive()), "MPI_Start");
                wait_for(*request);
              }};
    }
  };
  return {operation, where, How, name, make};
}

/// Adds up the blocks that arrived from all sources.
void add_arrived(problem& on) {
  int const count = on.count;
  double const* values = on.arrived.data();
  double* const sum = on.in.data();
  std::copy_n(values, on.in.num_edges() > 0 ? count : 0, sum);
  for (int e = 1; e < on.in.num_edges(); ++e) {
    values += count;
    for (int k = 0; k < count; ++k)
      sum[k] += values[k];
  }
}

/// Ends each run of a sum with add_arrived().
rival with_sum(rival of) {
  if (of.operation == "allreduce")
    of.make = [make = of.make](problem& on) {
      seam::variant made = make(on);
      made.run = [&on, run = made.run] {
        run();
        add_arrived(on);
      };
      return made;
    };
  return of;
}

} // namespace

// clang-format off
std::vector<rival> neighbor_rivals() {
  constexpr place here = place::graph;
  std::vector<rival> all{
      SEAM_BENCH_ALL("alltoall", Neighbor_alltoall, neighbor_alltoall, equal_blocks)
      SEAM_BENCH_ALL("alltoallv", Neighbor_alltoallv, neighbor_alltoallv, blocks_by_counts)
      SEAM_BENCH_ALL("alltoallw", Neighbor_alltoallw, neighbor_alltoallw, blocks_by_types)
      SEAM_BENCH_ALL("allgather", Neighbor_allgather, neighbor_allgather, equal_blocks)
      SEAM_BENCH_ALL("allgatherv", Neighbor_allgatherv, neighbor_allgatherv, from_others_by_counts)
      by_mpi<form::blocking>("allgatherw", here, "MPI_Neighbor_allgatherv", from_others_by_counts, MPI_Neighbor_allgatherv),
      SEAM_BENCH_ALL("allgatherw", Neighbor_alltoallw, neighbor_alltoallw, blocks_by_types)
      SEAM_BENCH_ALL("allreduce", Neighbor_allgather, neighbor_allgather, blocks_to_add)
  };
  std::ranges::transform(all, all.begin(), with_sum);
  return all;
}

std::vector<rival> complete_rivals() {
  constexpr place here = place::complete;
  return {
      SEAM_BENCH_ALL("alltoall", Alltoall, alltoall, equal_blocks)
      SEAM_BENCH_ALL("alltoallv", Alltoallv, alltoallv, blocks_by_counts)
      SEAM_BENCH_ALL("alltoallw", Alltoallw, alltoallw, blocks_by_types_of_all)
      SEAM_BENCH_ALL("allgather", Allgather, allgather, equal_blocks)
      SEAM_BENCH_ALL("allgatherv", Allgatherv, allgatherv, from_others_by_counts)
      SEAM_BENCH_TWO("allgatherw", Allgatherv, allgatherv, from_others_by_counts)
      SEAM_BENCH_ALL("gather", Gather, gather, with_root(equal_blocks))
      SEAM_BENCH_ALL("gatherv", Gatherv, gatherv, with_root(from_others_by_counts))
      SEAM_BENCH_TWO("gatherw", Gatherv, gatherv, with_root(from_others_by_counts))
      SEAM_BENCH_ALL("scatter", Scatter, scatter, with_root(equal_blocks))
      SEAM_BENCH_ALL("scatterv", Scatterv, scatterv, to_others_by_counts)
      SEAM_BENCH_TWO("scatterw", Scatterv, scatterv, to_others_by_counts)
      SEAM_BENCH_ALL("bcast", Bcast, bcast, block_of_root)
      SEAM_BENCH_ALL("reduce", Reduce, reduce, with_root(values))
      SEAM_BENCH_ALL("allreduce", Allreduce, allreduce, values)
      SEAM_BENCH_ALL("barrier", Barrier, barrier, nothing)
      SEAM_BENCH_ALL("reduce_scatter_block", Reduce_scatter_block, reduce_scatter_block, values)
      SEAM_BENCH_ALL("reduce_scatter", Reduce_scatter, reduce_scatter, values_by_counts)
      SEAM_BENCH_ALL("scan", Scan, scan, values)
      SEAM_BENCH_ALL("exscan", Exscan, exscan, values)
  };
}
// clang-format on

} // namespace collective_bench
