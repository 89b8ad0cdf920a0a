#include <seam/exchange/steps/run/parallel.hpp>

#include <seam/exchange/ground/detail/loop_threads.hpp>
#include <seam/exchange/ground/kept_error.hpp>

#include <Kokkos_Core.hpp>

namespace seam::detail {
namespace {

/// The execution space of seam's loops: Kokkos' parallel backend for the host.
using host_execution = Kokkos::DefaultHostExecutionSpace;
using host_parts = Kokkos::RangePolicy<host_execution, Kokkos::IndexType<int>>;
using host_parts_in_turn =
    Kokkos::RangePolicy<host_execution, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>>;

/// No exception leaves a thread: the caller gets the first, behind the loop.
template <class Policy>
void loop(char const* label, int count, part_visitor visit, Policy const& policy) {
  kept_error thrown;
  auto const visit_safely = [&](int part) {
    try {
      visit(part);
    } catch (...) {
      thrown.keep();
    }
  };
  if (num_own_loop_threads > 0)
    loop_on_own_threads(count, [&](std::int64_t part) { visit_safely(static_cast<int>(part)); });
  else
    Kokkos::parallel_for(label, policy, part_visitor(visit_safely));
  thrown.rethrow();
}

} // namespace

int num_loop_threads() {
  return num_own_loop_threads > 0 ? num_own_loop_threads
                                  : static_cast<int>(host_execution().concurrency());
}

void parallel_for_parts(char const* label, int count, part_visitor visit) {
  loop(label, count, visit, host_parts(0, count));
}

void parallel_for_parts_in_turn(char const* label, int count, part_visitor visit) {
  loop(label, count, visit, host_parts_in_turn(0, count).set_chunk_size(1));
}

} // namespace seam::detail
