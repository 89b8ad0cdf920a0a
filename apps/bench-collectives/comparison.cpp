#include "comparison.hpp"

#include <kit/benchmark.hpp>
#include <seam/exchange.hpp>
#include <seam/exchange/calls/detail/collective_definition.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <span>
#include <vector>

namespace collective_bench {
namespace {

std::vector<rival> const& all_rivals() {
  static std::vector<rival> const all = [] {
    std::vector<rival> found;
    for (auto const& list : {neighbor_rivals(), complete_rivals(), rivals_by_hand()})
      found.insert(found.end(), list.begin(), list.end());
    return found;
  }();
  return all;
}

/// Makes the variants of the wanted rivals of the problem's operation.
/// Collective: over the problem's communicator.
std::vector<seam::variant> rivals_of(problem& on, options const& wanted) {
  std::vector<seam::variant> made;
  for (rival const& listed : all_rivals())
    if (listed.operation == on.operation() && listed.where == on.asked.where() &&
        (!listed.how || wanted.has(*listed.how))) {
      made.push_back(listed.make(on));
      made.back().name = listed.name;
      made.back().is = seam::role::rival;
    }
  return made;
}

/// Makes variants of seam's forms of an operation.
/// Collective: over its communicator.
std::vector<seam::variant> subjects_of(problem& on, options const& wanted) {
  auto const make = operation_of(on.operation()).make;
  auto const kept = std::make_shared<seam::operation>(seam::prepare(on.comm, make(on)));
  // On complete communicators only operations that seam carries out itself count their messages.
  bool const is_graph = on.asked.where() == place::graph;
  int const counted =
      is_graph || kept->num_messages() > 0 ? kept->num_messages() : seam::not_counted;
  bool const is_mpis_if_started = !is_graph && make(on).definition().complete;
  std::vector<seam::variant> made;
  if (wanted.has(form::blocking))
    made.push_back({.name = "seam",
                    .run = [&on, make] { seam::run(on.comm, make(on)); },
                    .messages = counted});
  if (wanted.has(form::nonblocking))
    made.push_back({.name = "seam nonblocking",
                    .run = [&on, make] { seam::start(on.comm, make(on)).wait(); },
                    .messages = is_mpis_if_started ? seam::not_counted : counted});
  if (wanted.has(form::persistent))
    made.push_back(
        {.name = "seam persistent", .run = [kept] { kept->run(); }, .messages = counted});
  return made;
}

/// Several edges from one process to another are matched in the order of both ends; MPICH 4.0 matches the
/// first of one end with the last of the other.
bool has_parallel_edges(seam::Topology const& of) {
  std::set<int> known;
  return std::ranges::any_of(of.sources(), [&](seam::edge const& from) {
    return from.rank != MPI_PROC_NULL && !known.insert(from.rank).second;
  });
}

bool are_equal(std::span<double const> left, std::span<double const> right, bool in_any_order) {
  auto const have_same_bits = [](auto const& one, auto const& other) {
    return std::ranges::equal(std::as_bytes(std::span(one)), std::as_bytes(std::span(other)));
  };
  if (!in_any_order)
    return have_same_bits(left, right);
  std::vector<double> one(left.begin(), left.end()), other(right.begin(), right.end());
  std::ranges::sort(one);
  std::ranges::sort(other);
  return have_same_bits(one, other);
}

/// True if what a variant has left on all ranks are the expected bits. An exscan leaves rank 0 no result.
bool is_right(problem const& on, seam::variant const& candidate,
              std::vector<double> const& expected) {
  bool const matters = on.operation() != "exscan" || on.comm.rank() != 0;
  bool const in_any_order = candidate.name.starts_with("MPI") && on.comm.topology().is_graph() &&
                            has_parallel_edges(on.comm.topology());
  bool const is_right_here = !matters || are_equal(on.in.memory, expected, in_any_order);
  return seam::mpi::allreduce(on.comm.context(), is_right_here ? 1 : 0, MPI_MIN) != 0;
}

/// The variants that leave the same bits as the first one. Persistent calls of an MPI library that do not
/// are named and left out: MPI_Gather_init of MPICH 4.0 sends what was in the buffer when it was called.
/// Others are refused.
std::vector<seam::variant> right_ones_of(problem& on, std::vector<seam::variant> const& variants) {
  std::vector<double> expected;
  std::vector<seam::variant> right;
  for (seam::variant const& candidate : variants) {
    std::ranges::fill(on.in.memory, -1.0);
    candidate.run();
    if (expected.empty())
      expected = on.in.memory;
    if (is_right(on, candidate, expected)) {
      right.push_back(candidate);
      continue;
    }
    auto const line =
        fmt::format("{} of {} bytes: {} and {} leave different results", on.asked.in_words(),
                    on.asked.bytes, candidate.name, variants[0].name);
    if (!candidate.name.ends_with("_init"))
      seam::collectively(on.comm.context(), [&] { seam::refuse(line); });
    if (on.comm.rank() == 0)
      fmt::print(stderr, "seam-bench-collectives: {}: the former is left out\n", line);
  }
  return right;
}

std::vector<seam::timing> answer(seam::Runtime& runtime, question const& asked,
                                 options const& wanted, int repetitions) {
  problem on = make_problem(runtime, asked);
  auto variants = subjects_of(on, wanted);
  auto const rivals = rivals_of(on, wanted);
  variants.insert(variants.end(), rivals.begin(), rivals.end());
  variants = right_ones_of(on, variants);
  seam::measurement const measured{.question = asked.in_words(),
                                   .bytes = asked.bytes,
                                   .repetitions = repetitions,
                                   .seconds = wanted.seconds};
  if (repetitions == 0)
    return seam::count_messages(on.comm.context(), measured, variants);
  return seam::time_in_turn(on.comm.context(), measured, variants);
}

} // namespace

std::vector<question> questions(options const& wanted) {
  std::vector<int> const none{0};
  std::vector<question> all;
  for (std::string const& name : wanted.operations)
    for (std::string const& around : wanted.neighborhoods)
      for (int dimensions : around == "complete" ? none : wanted.dimensions)
        for (int bytes : name == "barrier" ? none : wanted.bytes)
          if (around == "complete" || operation_of(name).on_graphs)
            all.push_back({name, around, dimensions, bytes});
  if (all.empty())
    seam::refuse("--neighborhoods: none on which one of the operations has a meaning (expected "
                 "complete among them)");
  return all;
}

seam::benchmark_table compare(seam::Runtime& runtime, std::vector<question> const& asked,
                              options const& wanted, int repetitions) {
  seam::benchmark_table table;
  bench::for_each_question(runtime, "questions", asked, [&](question const& next) {
    table.add(answer(runtime, next, wanted, repetitions));
  });
  return table;
}

} // namespace collective_bench
