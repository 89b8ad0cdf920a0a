#include "problem.hpp"

#include <array>

namespace collective_bench {
namespace {

seam::elements doubles(double* first, int count) { return {first, count, MPI_DOUBLE}; }
seam::elements first_out(problem& on) { return doubles(on.out.data(), on.count); }
seam::elements first_in(problem& on) { return doubles(on.in.data(), on.count); }

/// The one block that this process sends to all, or receives.
seam::elements own_out(problem& on) { return doubles(on.out.data(), on.own_count); }
seam::elements own_in(problem& on) { return doubles(on.in.data(), on.own_count); }

std::vector<seam::elements> all_of(blocks& all) {
  std::vector<seam::elements> made;
  made.reserve(all.num_edges());
  for (int e = 0; e < all.num_edges(); ++e)
    made.push_back(doubles(all.block(e), all.count(e)));
  return made;
}

std::span<double const> own_values(problem& on) {
  return std::span(on.out.memory).first(on.own_count);
}
std::span<double> own_room(problem& on) { return std::span(on.in.memory).first(on.own_count); }

constexpr std::array all{
    operation{"alltoall", true,
              [](problem& on) { return seam::alltoall(first_out(on), first_in(on)); }},
    operation{"alltoallv", true,
              [](problem& on) {
                return seam::alltoallv(on.out.memory, on.out.counts, on.in.memory, on.in.counts);
              }},
    operation{"alltoallw", true,
              [](problem& on) { return seam::alltoallw(all_of(on.out), all_of(on.in)); }},
    operation{"allgather", true,
              [](problem& on) { return seam::allgather(first_out(on), first_in(on)); }},
    operation{
        "allgatherv", true,
        [](problem& on) { return seam::allgatherv(own_values(on), on.in.memory, on.in.counts); }},
    operation{"allgatherw", true,
              [](problem& on) { return seam::allgatherw(own_out(on), all_of(on.in)); }},
    operation{"gather", true,
              [](problem& on) { return seam::gather(first_out(on), first_in(on), on.root); }},
    operation{"gatherv", true,
              [](problem& on) {
                return seam::gatherv(own_values(on), on.in.memory, on.in.counts, on.root);
              }},
    operation{"gatherw", true,
              [](problem& on) { return seam::gatherw(own_out(on), all_of(on.in), on.root); }},
    operation{"scatter", true,
              [](problem& on) { return seam::scatter(first_out(on), first_in(on), on.root); }},
    operation{"scatterv", true,
              [](problem& on) {
                return seam::scatterv(on.out.memory, on.out.counts, own_room(on), on.root);
              }},
    operation{"scatterw", true,
              [](problem& on) { return seam::scatterw(all_of(on.out), own_in(on), on.root); }},
    operation{"bcast", true,
              [](problem& on) {
                return seam::bcast(on.is_root() ? first_out(on) : first_in(on), on.root);
              }},
    operation{
        "reduce", true,
        [](problem& on) { return seam::reduce(first_out(on), first_in(on), MPI_SUM, on.root); }},
    operation{"allreduce", true,
              [](problem& on) { return seam::allreduce(first_out(on), first_in(on), MPI_SUM); }},
    operation{"barrier", true, [](problem&) { return seam::barrier(); }},
    operation{"reduce_scatter_block", false,
              [](problem& on) {
                return seam::reduce_scatter_block(first_out(on), first_in(on), MPI_SUM);
              }},
    operation{"reduce_scatter", false,
              [](problem& on) {
                return seam::reduce_scatter(on.out.memory, own_room(on), on.out.counts,
                                            std::plus<>());
              }},
    operation{"scan", false,
              [](problem& on) { return seam::scan(first_out(on), first_in(on), MPI_SUM); }},
    operation{"exscan", false,
              [](problem& on) { return seam::exscan(first_out(on), first_in(on), MPI_SUM); }}};

} // namespace

std::span<operation const> operations() { return all; }

std::vector<std::string> names_of_operations() {
  std::vector<std::string> names;
  for (operation const& listed : all)
    names.emplace_back(listed.name);
  return names;
}

operation const& operation_of(std::string_view name) {
  return *std::ranges::find(all, name, &operation::name);
}

} // namespace collective_bench
