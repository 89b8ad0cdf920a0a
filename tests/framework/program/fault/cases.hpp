/// What can go wrong on some ranks while the others are busy elsewhere: the cases that the programs
/// of this folder run by name. Messages hold one '#', so that tests can count them.
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/framework/program/runtime.hpp>
#include <seam/stencil/fields/field.hpp>
#include <seam/stencil/ghosts/halo.hpp>

#include <support/memory_limit.hpp>

#include <Kokkos_Core.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace seam::testing {

using host = Kokkos::DefaultHostExecutionSpace;

/// The line of the local error that all cases throw.
inline std::runtime_error broken() { return std::runtime_error("something broke #"); }

/// Computes for longer than any test waits.
inline void compute_forever() {
  Kokkos::parallel_for(Kokkos::RangePolicy<host>(0, 4),
                       [](int) { std::this_thread::sleep_for(std::chrono::hours(1)); });
}

inline void throw_while_others_receive(Runtime& runtime) {
  if (runtime.rank() == 1)
    throw broken();
  int value = 0;
  mpi::receive(runtime, std::span(&value, 1), 1, 0);
}

inline void throw_while_others_are_in_a_collective(Runtime& runtime) {
  if (runtime.rank() == runtime.size() - 1)
    throw broken();
  mpi::barrier(runtime);
}

/// As below ulimit -v.
inline void take_more_memory_than_allowed(Runtime& runtime) {
  if (runtime.rank() == 1) {
    constexpr std::size_t allowed = std::size_t{1} << 26, wanted = std::size_t{1} << 30;
    memory_limit const limit(allowed);
    std::vector<char> const all(wanted, 'x');
    std::printf("%c", all.back());
  }
  mpi::barrier(runtime);
}

inline void throw_while_others_compute(Runtime& runtime) {
  if (runtime.rank() == 0)
    throw broken();
  compute_forever();
}

inline void throw_while_others_are_at_the_end(Runtime& runtime) {
  if (runtime.rank() != 1)
    return;
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  throw broken();
}

/// The job ends behind the report of the wait.
inline void leave_while_others_wait(Runtime& runtime) {
  if (runtime.rank() != 1)
    mpi::barrier(runtime);
}

inline void throw_inside_a_kernel(Runtime& runtime) {
  if (runtime.rank() == 1)
    Kokkos::parallel_for(Kokkos::RangePolicy<host>(0, 1), [](int) { throw broken(); });
  mpi::barrier(runtime);
}

inline void throw_in_a_thread(Runtime& runtime) {
  if (runtime.rank() == 1)
    std::thread([] { throw broken(); }).join();
  mpi::barrier(runtime);
}

inline void throw_what_is_no_exception(Runtime& runtime) {
  if (runtime.rank() == 1)
    throw 42;
  mpi::barrier(runtime);
}

inline void throw_on_all_ranks_together(Runtime& runtime) {
  collectively(runtime, [&] {
    if (runtime.rank() == 1)
      refuse("a mistake #");
  });
}

inline void throw_on_all_ranks_by_itself(Runtime&) { throw broken(); }

inline void throw_on_some_ranks_together(Runtime& runtime) {
  auto const part = mpi::split(runtime, runtime.rank() == 0 ? MPI_UNDEFINED : 0, 0);
  if (part.is_open())
    collectively(part, [] { refuse("a mistake #"); });
  mpi::barrier(runtime);
}

inline void send_to_nobody(Runtime& runtime) {
  int const value = 0;
  if (runtime.rank() == 1)
    mpi::send(runtime, std::span(&value, 1), runtime.size(), 0);
  mpi::barrier(runtime);
}

/// A wrong call of the program's own, whose code it does not look at.
inline void send_to_nobody_by_mpi(Runtime& runtime) {
  int const value = 0;
  if (runtime.rank() == 1)
    MPI_Send(&value, 1, MPI_INT, runtime.size(), 0, MPI_COMM_WORLD);
  mpi::barrier(runtime);
}

/// What checked mode is there to find.
inline void reduce_otherwise_than_others(Runtime& runtime) {
  std::vector<int> const mine(3, 1);
  std::vector<int> all(3);
  if (runtime.rank() == 1)
    run(runtime, allreduce(mine, all, larger{}));
  else
    run(runtime, allreduce(mine, all, std::plus<>{}));
}

/// Waits for what the next rank gives in the memory of the node, unless it is rank 1: that one does
/// something else.
template <class Act>
void wait_in_memory(Runtime& runtime, Act instead) {
  int const rank = runtime.rank(), size = runtime.size();
  auto const values = allocate<double>(runtime, 2);
  plan const what(Topology::graph({{(rank + 1) % size}}, {{(rank + size - 1) % size}}),
                  regions_of_edges({region{0}}), regions_of_edges({region{1}}));
  auto ring = make_exchange(runtime, what, std::vector{exchanged_array::of(values.get())});
  ring.run();
  if (rank == 1)
    instead();
  ring.run();
}

inline void throw_while_others_wait_in_memory(Runtime& runtime) {
  wait_in_memory(runtime, [] { throw broken(); });
}

inline void die_while_others_wait_in_memory(Runtime& runtime) {
  wait_in_memory(runtime, [] { std::raise(SIGKILL); });
}

inline void throw_while_others_wait_for_partitions(Runtime& runtime) {
  auto const size = static_cast<std::size_t>(runtime.size());
  std::vector<int> out(4 * size), in(4 * size);
  auto all =
      palltoall_init(runtime.world(), {out.data(), 2, 2, MPI_INT}, {in.data(), 2, 2, MPI_INT});
  all.start();
  if (runtime.rank() == 1)
    throw broken();
  all.ready_range(0, all.num_leaving() - 1);
  all.wait();
}

inline void make_a_grid_of_few_cells(Runtime& runtime) {
  Grid<1> const grid(runtime, {.cells = {1}});
}

/// A checked build ends there.
inline void read_beyond_the_ghosts(Runtime& runtime) {
  Grid<1> const grid(runtime, {.cells = {30}});
  auto const u = grid.field<double>("u");
  if (u.view()(-2) == 0)
    mpi::barrier(runtime);
}

/// A checked build ends there, too: the field has changed since the halo.
inline void read_without_an_exchange(Runtime& runtime) {
  Grid<1> const grid(runtime, {.cells = {30}, .periodic = {true}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  auto halo = make_halo(u);
  for (int step = 0; step < 3; ++step) {
    if (step < 2) // here is the mistake
      halo.run();
    auto const now = u.view(), then = next.view();
    for (int i = 0; i < u.owned().hi[0]; ++i)
      then(i) = 0.5 * (now(i - 1) + now(i + 1)) + runtime.rank() + i;
    for (int i = 0; i < u.owned().hi[0]; ++i)
      now(i) = then(i);
  }
  mpi::barrier(runtime);
}

inline void exit_while_others_wait(Runtime& runtime) {
  if (runtime.rank() == 1)
    std::exit(3);
  mpi::barrier(runtime);
}

inline void end_without_an_error(Runtime& runtime) { mpi::barrier(runtime); }

/// Runs the case of this name.
inline void run_case(std::string const& name, Runtime& runtime) {
  static std::map<std::string, std::function<void(Runtime&)>> const cases = {
      {"receive", throw_while_others_receive},
      {"collective", throw_while_others_are_in_a_collective},
      {"partitions", throw_while_others_wait_for_partitions},
      {"memory", throw_while_others_wait_in_memory},
      {"too-much-memory", take_more_memory_than_allowed},
      {"killed", die_while_others_wait_in_memory},
      {"compute", throw_while_others_compute},
      {"end", throw_while_others_are_at_the_end},
      {"kernel", throw_inside_a_kernel},
      {"thread", throw_in_a_thread},
      {"no-exception", throw_what_is_no_exception},
      {"together", throw_on_all_ranks_together},
      {"by-itself", throw_on_all_ranks_by_itself},
      {"some-together", throw_on_some_ranks_together},
      {"send-to-nobody", send_to_nobody},
      {"send-to-nobody-by-mpi", send_to_nobody_by_mpi},
      {"other-call", reduce_otherwise_than_others},
      {"few-cells", make_a_grid_of_few_cells},
      {"read-too-far", read_beyond_the_ghosts},
      {"stale-ghost", read_without_an_exchange},
      {"exit", exit_while_others_wait},
      {"leave", leave_while_others_wait},
      {"success", end_without_an_error},
  };
  cases.at(name)(runtime);
}

} // namespace seam::testing
