#include <seam/exchange/calls/collective.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/calls/call_check.hpp>
#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/calls/native_calls.hpp>
#include <seam/exchange/calls/recent_plans.hpp>
#include <seam/exchange/communicator/refuse_topology.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/planning/detail/edges.hpp>
#include <seam/exchange/planning/exchange_counts.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace seam {
using namespace detail;

namespace {

/// The planner of `call` on the topology of `over`; empty if it moves blocks, or there is none.
collective_definition::planner const& planner_of(Communicator const& over,
                                                 collective_definition const& call) {
  bool const is_complete = over.topology().is_complete();
  return is_complete && call.plan_on_complete ? call.plan_on_complete : call.plan;
}

bool is_planned_between_sides(Communicator const& over, collective_definition const& call) {
  return over.topology().is_bipartite() && call.plan_on_bipartite;
}

bool is_planned(Communicator const& over, collective_definition const& call) {
  return call.moves || planner_of(over, call) || is_planned_between_sides(over, call);
}

movement movement_of(collective_definition const& call, collective_edges const& edges) {
  movement moved = call.moves(edges);
  check_movement(call.name, edges, moved);
  return moved;
}

/// Plans a call for which is_planned() is true.
schedule plan_of(Communicator const& over, collective_definition const& call,
                 collective_edges const& edges) {
  if (is_planned_between_sides(over, call))
    return call.plan_on_bipartite(over);
  return call.moves ? plan_movement(edges, movement_of(call, edges))
                    : planner_of(over, call)(edges);
}

/// Refuses calls of threads that are attached to another endpoint.
void check_thread(Communicator const& over, char const* call) {
  if (mpi::context const* const endpoints = mpi::context_of(over))
    endpoints->check_thread(call);
}

/// Refuses calls that neither MPI nor [Traeff2021] defines.
void check_meaning(Communicator const& over, collective_definition const& call) {
  bool const is_undefined = (over.topology().is_graph() && !call.moves && !call.plan) ||
                            (over.topology().is_bipartite() && !call.on_bipartite) ||
                            (mpi::context_of(over) != nullptr && !is_planned(over, call));
  if (is_undefined)
    refuse_topology(over, call.name);
}

/// "counts 2, 3, 2", or the first of many counts and a hash of all.
std::string words_of_counts(std::span<int const> counts) {
  constexpr std::ptrdiff_t most_listed = 6;
  if (std::ssize(counts) <= most_listed)
    return fmt::format("counts {}", fmt::join(counts, ", "));
  std::uint32_t digest = 0;
  for (int count : counts)
    digest = (digest ^ static_cast<std::uint32_t>(count)) * 0x01000193U;
  return fmt::format("counts {}, ... [{:x}]", fmt::join(counts.first(most_listed), ", "), digest);
}

/// True if all ranks of `over` pass equally many bytes to `call`.
bool is_of_one_length(Communicator const& over, collective_definition const& call) {
  return over.topology().is_complete() && call.complete && call.common.values;
}

/// "prepared reduce(sum of MPI_INT, root 2)": the terms that have to be the same on all ranks.
std::string words_of(Communicator const& over, collective_definition const& call,
                     char const* form) {
  auto const root = call.common.root;
  MPI_Op op = call.common.op;
  auto const& values = call.common.values;
  bool const rooted = root != common_terms::no_root;
  std::vector<std::string> terms;
  // On a bipartite communicator the root's side passes MPI_ROOT or MPI_PROC_NULL, and ranks beside
  // the root may pass any operation.
  if (!rooted || !over.topology().is_bipartite()) {
    if (op != MPI_OP_NULL)
      terms.push_back(fmt::format("{} of {}", mpi::name_of_op(op),
                                  mpi::name_of_type(values->type)));
    if (rooted)
      terms.push_back(fmt::format("root {}", root));
  }
  // On other topologies the bytes of each edge are compared.
  if (is_of_one_length(over, call))
    terms.push_back(fmt::format("{} bytes", wire_bytes(*values)));
  if (auto const counts = call.common.counts.span(); !counts.empty())
    terms.push_back(over.topology().is_bipartite()
                        ? fmt::format("{} elements", std::accumulate(counts.begin(), counts.end(),
                                                                     std::int64_t{0}))
                        : words_of_counts(counts));
  return fmt::format("{}{}({})", form, call.name, fmt::join(terms, ", "));
}

void check_arguments(Communicator const& over, collective_definition const& call) {
  if (call.check)
    call.check(call_arguments(call.name, over));
}

/// Refuses, on all ranks, a call to which one rank passes more bytes than another: each chooses by
/// the length between seam's plan and MPI's call, and MPI reads as many bytes as each rank passes.
///
/// Collective: over `over`.
void check_length_of_all(Communicator const& over, collective_definition const& call) {
  if (!is_of_one_length(over, call))
    return;
  std::int64_t const own_bytes = wire_bytes(*call.common.values);
  std::array extremes{own_bytes, -own_bytes};
  mpi::allreduce(over.context(), std::span<std::int64_t>(extremes), MPI_MAX);
  auto const [most, fewest] = std::pair(extremes[0], -extremes[1]);
  if (most != fewest)
    throw usage_error(fmt::format("{}: {} bytes on one rank and {} on another (expected as many) "
                                  "[{}]",
                                  call.name, fewest, most, where()),
                      true, MPI_ERR_TRUNCATE);
}

/// The description of this rank's call, with its schedule if there is one.
struct described_call {
  call_description words;
  schedule steps;
};

/// Describes a call. Calls that the MPI library carries out are planned too: the plan finds
/// impossible arguments, and says how many bytes travel along each edge.
described_call describe(Communicator const& over, collective_definition const& call,
                        char const* form) {
  described_call described;
  try {
    described.words.call = call.name;
    check_arguments(over, call);
    described.words.call = words_of(over, call, form);
    if (is_planned(over, call)) {
      described.steps = plan_of(over, call, edges_of(over));
      described.words.leaving = described.steps.leaving;
      described.words.arriving = described.steps.arriving;
    }
  } catch (...) {
    described.words.error = detail::report_of_current_exception();
  }
  return described;
}

/// The lengths of this rank's blocks; empty if the arguments are impossible, as the plan reports.
std::optional<edge_bytes> bytes_of(collective_definition const& call,
                                   collective_edges const& edges) {
  try {
    return bytes_of(movement_of(call, edges));
  } catch (...) {
    return std::nullopt;
  }
}

/// Plans the call on all ranks, or throws the error of one of them on all. The ranks compare the
/// lengths of their blocks only where combined messages could pay, which follows from the graph.
schedule plan_together(Communicator const& over, collective_definition const& call) {
  collective_edges edges = edges_of(over);
  if (call.uses_all_edges && edges.structure != nullptr && can_combine(*edges.structure))
    edges.vectors2bytes = agree_on_bytes(over.context(), *edges.structure, bytes_of(call, edges));
  return collectively(over.context(), [&] { return plan_of(over, call, edges); });
}

// The forms in checked mode.

void run_checked(Communicator const& over, collective_definition const& call) {
  auto described = describe(over, call, "");
  require_match(over, std::move(described.words));
  if (is_native(over, call))
    return run_natively(over, call);
  recent_plans::explain_first(over, call.name, described.steps);
  operation::blocking(over, described.steps).run();
}

/// Starts without waiting, so that checks make no deadlock. After the check only seam's own
/// schedules can be started, as MPI's calls would come in another order on some ranks.
in_flight start_checked(Communicator const& over, collective_definition const& call) {
  auto described = describe(over, call, "started ");
  if (!is_planned(over, call)) {
    require_match(over, std::move(described.words));
    return start_natively(over, call);
  }
  if (!described.words.error)
    recent_plans::explain_first(over, call.name, described.steps);
  call_check check(over, std::move(described.words));
  auto then = operation::immediate_activity(over, described.steps, check.tag_of_call());
  return operation(start_after(std::move(check), std::move(then))).start();
}

operation prepare_checked(Communicator const& over, collective_definition const& call) {
  auto described = describe(over, call, "prepared ");
  require_match(over, std::move(described.words));
  if (is_native(over, call))
    return native_operation(over, call);
  return operation(over, call.uses_all_edges ? plan_together(over, call) : described.steps);
}

schedule plan_checked(Communicator const& over, collective_definition const& call) {
  check_arguments(over, call);
  return plan_of(over, call, edges_of(over));
}

schedule plan_and_explain(Communicator const& over, collective_definition const& call) {
  schedule steps = plan_checked(over, call);
  recent_plans::explain_first(over, call.name, steps);
  return steps;
}

// The forms of calls that repeat no recent one.

void run_new(Communicator const& over, collective const& call,
             collective_definition const& definition) {
  check_meaning(over, definition);
  if (checks_are_on())
    return run_checked(over, definition);
  if (definition.among_endpoints != nullptr && over.topology().is_complete())
    if (mpi::context* const endpoints = mpi::context_of(over))
      return definition.among_endpoints(*endpoints);
  if (is_native(over, definition)) {
    check_arguments(over, definition);
    return run_natively(over, definition);
  }
  if (!call.key.is_empty())
    return recent_plans::of(over).run_first(over, call, plan_checked(over, definition));
  operation::blocking(over, plan_and_explain(over, definition)).run();
}

in_flight start_new(Communicator const& over, collective const& call,
                    collective_definition const& definition) {
  check_meaning(over, definition);
  if (checks_are_on())
    return start_checked(over, definition);
  if (is_begun_natively(over, definition)) {
    check_arguments(over, definition);
    return start_natively(over, definition);
  }
  schedule steps = plan_and_explain(over, definition);
  if (!call.key.is_empty())
    return started_plans::of(over).start_first(over, call, std::move(steps));
  return operation::immediate(over, std::move(steps)).start();
}

operation plan_once(Communicator const& over, collective_definition const& call) {
  if (checks_are_on())
    return prepare_checked(over, call);
  collectively(over.context(), [&] { check_arguments(over, call); });
  check_length_of_all(over, call);
  if (is_native(over, call))
    return native_operation(over, call);
  return operation(over, plan_together(over, call));
}

} // namespace

collective_definition collective::definition() const {
  collective_definition made(name);
  if (define)
    define(made);
  return made;
}

void run(Communicator const& over, collective const& call) {
  call_scope const here(call.name, *over.calls());
  check_thread(over, call.name);
  if (!recent_plans::of(over).run_again(call, here))
    run_new(over, call, call.definition());
}

in_flight start(Communicator const& over, collective const& call) {
  call_scope const here(call.name, *over.calls());
  check_thread(over, call.name);
  std::optional<in_flight> again = started_plans::of(over).start_again(over, call);
  in_flight started = again ? *std::move(again) : start_new(over, call, call.definition());
  return std::move(started).as_started_by(here, over.calls(), call.name);
}

operation prepare(Communicator const& over, collective const& call) {
  call_scope const here(call.name, *over.calls());
  check_thread(over, call.name);
  collective_definition const definition = call.definition();
  check_meaning(over, definition);
  operation prepared = plan_once(over, definition);
  prepared.keep_on(over, call.name);
  return prepared;
}

} // namespace seam
