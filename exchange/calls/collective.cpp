#include <seam/exchange/calls/collective.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/calls/call_check.hpp>
#include <seam/exchange/calls/native_calls.hpp>
#include <seam/exchange/calls/recent_plans.hpp>
#include <seam/exchange/calls/started_plans.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/names.hpp>
#include <seam/exchange/planning/combining.hpp>
#include <seam/exchange/planning/detail/edges.hpp>
#include <seam/exchange/transport/shared/mailboxes.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace seam {
namespace {

/// The plan of `what` on such a topology; empty if there is none.
collective::planner const& planner_of(Communicator const& over, collective const& what) {
  bool const is_complete = over.topology().kind() == topology_kind::complete;
  return is_complete && what.plan_on_complete ? what.plan_on_complete : what.plan;
}

/// Refuses what paper and standard leave undefined; all ranks see the same topology.
void check_meaning(Communicator const& over, collective const& what) {
  auto const refuse_on = [&](char const* topology) {
    throw usage_error(fmt::format("{}: has no meaning on a {} communicator (expected a complete "
                                  "one, such as base()) [{}]",
                                  what.name, topology, where()),
                      true);
  };
  if (over.topology().is_graph() && !what.plan)
    refuse_on("graph");
  if (over.topology().kind() == topology_kind::bipartite && !what.on_bipartite)
    refuse_on("bipartite");
}

/// "counts 2, 3, 2", or some of many and a number that tells whether the others differ too.
std::string words_of_counts(std::span<int const> counts) {
  constexpr std::size_t most_listed = 6;
  if (counts.size() <= most_listed)
    return fmt::format("counts {}", fmt::join(counts, ", "));
  std::uint32_t digest = 0;
  for (int count : counts)
    digest = (digest ^ static_cast<std::uint32_t>(count)) * 0x01000193U;
  return fmt::format("counts {}, ... [{:x}]", fmt::join(counts.first(most_listed), ", "), digest);
}

/// True if all ranks of `over` give as many bytes in such a call.
bool is_of_one_length(Communicator const& over, collective const& what) {
  return over.topology().kind() == topology_kind::complete && what.complete && what.common.values;
}

/// "prepared reduce(sum of MPI_INT, root 2)": what has to be the same on all ranks.
std::string words_of(Communicator const& over, collective const& what, char const* form) {
  auto const root = what.common.root;
  MPI_Op op = what.common.op;
  auto const& values = what.common.values;
  bool const rooted = root != common_terms::no_root;
  std::vector<std::string> terms;
  // The root of a bipartite communicator has another name on its own side, where those beside it
  // may give anything.
  if (!rooted || over.topology().kind() != topology_kind::bipartite) {
    if (op != MPI_OP_NULL)
      terms.push_back(fmt::format("{} of {}", mpi::name_of(op), mpi::name_of(values->type)));
    if (rooted)
      terms.push_back(fmt::format("root {}", root));
  }
  // On other topologies the bytes of each edge are compared.
  if (is_of_one_length(over, what))
    terms.push_back(fmt::format("{} bytes", wire_bytes(*values)));
  if (auto const counts = what.common.counts.span(); !counts.empty())
    terms.push_back(over.topology().kind() == topology_kind::bipartite
                        ? fmt::format("{} elements", std::accumulate(counts.begin(), counts.end(),
                                                                     std::int64_t{0}))
                        : words_of_counts(counts));
  return fmt::format("{}{}({})", form, what.name, fmt::join(terms, ", "));
}

void check_arguments(Communicator const& over, collective const& what) {
  if (what.check)
    what.check(over);
}

/// Refuses, on all ranks, a call in which one gives more bytes than another: they choose by the
/// length who carries it out, and the MPI library reads as much as each says.
/// Collective: over `over`.
void check_length_of_all(Communicator const& over, collective const& what) {
  if (!is_of_one_length(over, what))
    return;
  std::int64_t const mine = wire_bytes(*what.common.values);
  std::array extremes{mine, -mine};
  mpi::allreduce(over.context(), std::span<std::int64_t>(extremes), MPI_MAX);
  auto const [most, fewest] = std::pair(extremes[0], -extremes[1]);
  if (most != fewest)
    throw usage_error(fmt::format("{}: {} bytes on one rank and {} on another (expected as many) "
                                  "[{}]",
                                  what.name, fewest, most, where()),
                      true, MPI_ERR_TRUNCATE);
}

/// What this rank is about to do, with its schedule if there is one.
struct described_call {
  call_description words;
  schedule steps;
};

/// What the MPI library carries out is planned too: the plan finds impossible arguments, and says
/// what travels along each edge.
described_call describe(Communicator const& over, collective const& what, char const* form) {
  described_call made;
  try {
    made.words.call = what.name;
    check_arguments(over, what);
    made.words.call = words_of(over, what, form);
    if (auto const& plan = planner_of(over, what)) {
      made.steps = plan(edges_of(over));
      made.words.leaving = made.steps.leaving;
      made.words.arriving = made.steps.arriving;
    }
  } catch (...) {
    made.words.error = detail::report_of_current_exception();
  }
  return made;
}

/// How long this rank's blocks are; nothing if its arguments are impossible, as the plan will say.
std::optional<edge_bytes> bytes_of(collective const& what, collective_edges const& edges) {
  try {
    return what.bytes(edges);
  } catch (...) {
    return std::nullopt;
  }
}

/// The schedule by which all ranks go on together, or the error of one of them. Only where combined
/// messages could pay, which all ranks know of the graph, they tell each other how long blocks are.
schedule plan_together(Communicator const& over, collective const& what) {
  collective_edges edges = edges_of(over);
  if (what.bytes && edges.structure != nullptr && can_combine(*edges.structure))
    edges.vectors2bytes = agree_on_bytes(over.context(), *edges.structure, bytes_of(what, edges));
  return collectively(over.context(), [&] { return planner_of(over, what)(edges); });
}

// The forms in checked mode.

void run_checked(Communicator const& over, collective const& what) {
  auto call = describe(over, what, "");
  require_match(over, std::move(call.words));
  if (is_native(over, what))
    return run_natively(over, what);
  recent_plans::explain_first(over, what.name, call.steps);
  operation::blocking(over, call.steps, mailboxes_of(over)).run();
}

/// Waits for nobody, so that a correct program stays one: what the MPI library would carry out
/// could only be started later, and so on some ranks in another order; seam's own schedules can.
/// Reduce-scatters of bipartite communicators, of which there are none, do wait.
in_flight start_checked(Communicator const& over, collective const& what) {
  auto call = describe(over, what, "started ");
  if (!planner_of(over, what)) {
    require_match(over, std::move(call.words));
    return start_natively(over, what);
  }
  if (!call.words.error)
    recent_plans::explain_first(over, what.name, call.steps);
  call_check check(over, std::move(call.words));
  auto then = operation::immediate_activity(over, call.steps, check.tag_of_call());
  return operation(start_after(std::move(check), std::move(then))).start();
}

operation prepare_checked(Communicator const& over, collective const& what) {
  auto call = describe(over, what, "prepared ");
  require_match(over, std::move(call.words));
  if (is_native(over, what))
    return native_operation(over, what);
  return operation(over, what.bytes ? plan_together(over, what) : call.steps);
}

schedule plan_checked(Communicator const& over, collective const& what) {
  check_arguments(over, what);
  return planner_of(over, what)(edges_of(over));
}

schedule plan_and_explain(Communicator const& over, collective const& what) {
  schedule steps = plan_checked(over, what);
  recent_plans::explain_first(over, what.name, steps);
  return steps;
}

in_flight begin(Communicator const& over, collective const& what) {
  if (checks_are_on())
    return start_checked(over, what);
  if (is_begun_natively(over, what)) {
    check_arguments(over, what);
    return start_natively(over, what);
  }
  if (!what.key.is_empty())
    return in_flight(started_plans::of(over).start(over, what,
                                                   [&] { return plan_and_explain(over, what); }));
  return operation::immediate(over, plan_and_explain(over, what)).start();
}

operation plan_once(Communicator const& over, collective const& what) {
  if (checks_are_on())
    return prepare_checked(over, what);
  collectively(over.context(), [&] { check_arguments(over, what); });
  check_length_of_all(over, what);
  if (is_native(over, what))
    return native_operation(over, what);
  return operation(over, plan_together(over, what));
}

} // namespace

void run(Communicator const& over, collective const& what) {
  call_scope const here(what.name, *over.calls());
  check_meaning(over, what);
  if (checks_are_on())
    return run_checked(over, what);
  if (is_native(over, what)) {
    check_arguments(over, what);
    return run_natively(over, what);
  }
  if (!what.key.is_empty())
    return recent_plans::of(over)
        .find_or_make(over, what, [&] { return plan_checked(over, what); })
        .run();
  operation::blocking(over, plan_and_explain(over, what), mailboxes_of(over)).run();
}

in_flight start(Communicator const& over, collective const& what) {
  call_scope const here(what.name, *over.calls());
  check_meaning(over, what);
  return begin(over, what).as_started_by(here, over.calls(), what.name);
}

operation prepare(Communicator const& over, collective const& what) {
  call_scope const here(what.name, *over.calls());
  check_meaning(over, what);
  operation made = plan_once(over, what);
  made.keep_on(over, what.name);
  return made;
}

} // namespace seam
