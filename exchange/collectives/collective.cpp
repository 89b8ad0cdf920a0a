#include <seam/exchange/collectives/collective.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/checks.hpp>
#include <seam/exchange/collectives/call_check.hpp>
#include <seam/exchange/collectives/edges.hpp>
#include <seam/exchange/collectives/started_plans.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/names.hpp>
#include <seam/exchange/native_activity.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <span>
#include <vector>

namespace seam {
namespace {

collective::native_call const& native_of(Communicator const& over, collective const& what) {
  static collective::native_call const none;
  switch (over.topology().kind()) {
  case topology_kind::complete: return what.complete;
  case topology_kind::bipartite: return what.bipartite;
  case topology_kind::graph: break;
  }
  return none;
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

/// What the MPI library carries out, in seam's own context.
operation run_natively(Communicator const& over, collective const& what) {
  auto begin = [call = native_of(over, what), context = over.context()](MPI_Request* request) {
    return call(context.native(), request);
  };
  return operation(std::make_shared<native_activity>(over.keep_alive(), std::move(begin),
                                                     what.name));
}

/// Runs what the MPI library carries out, or hands the schedule to `with`.
template <class WithSchedule>
operation make(Communicator const& over, collective const& what, WithSchedule with) {
  if (native_of(over, what))
    return run_natively(over, what);
  return with(ports_of(over));
}

/// "counts 2, 3, 2", or some of many and a number that tells whether the others differ too.
std::string words_of_counts(std::vector<int> const& counts) {
  constexpr std::size_t most_listed = 6;
  if (counts.size() <= most_listed)
    return fmt::format("counts {}", fmt::join(counts, ", "));
  std::uint32_t digest = 0;
  for (int count : counts)
    digest = (digest ^ static_cast<std::uint32_t>(count)) * 0x01000193U;
  return fmt::format("counts {}, ... [{:x}]", fmt::join(std::span(counts).first(most_listed), ", "),
                     digest);
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
  if (over.topology().kind() == topology_kind::complete && what.complete && values)
    terms.push_back(fmt::format("{} bytes", wire_bytes(*values)));
  if (auto const& counts = what.common.counts; !counts.empty())
    terms.push_back(over.topology().kind() == topology_kind::bipartite
                        ? fmt::format("{} elements", std::accumulate(counts.begin(), counts.end(),
                                                                     std::int64_t{0}))
                        : words_of_counts(counts));
  return fmt::format("{}{}({})", form, what.name, fmt::join(terms, ", "));
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
    made.words.call = words_of(over, what, form);
    if (what.check)
      what.check(over);
    if (what.plan) {
      made.steps = what.plan(ports_of(over));
      made.words.leaving = made.steps.leaving;
      made.words.arriving = made.steps.arriving;
    }
  } catch (...) {
    made.words.error = detail::line_of_current_exception();
  }
  return made;
}

// The forms in checked mode.

void run_checked(Communicator const& over, collective const& what) {
  auto call = describe(over, what, "");
  require_match(over, std::move(call.words));
  (native_of(over, what) ? run_natively(over, what) : operation::immediate(over, call.steps)).run();
}

/// Waits for nobody, so that a correct program stays one: what the MPI library would carry out
/// could only be started later, and so on some ranks in another order; seam's own schedules can.
/// Scans and reduce-scatters, of which there are none, do wait.
in_flight start_checked(Communicator const& over, collective const& what) {
  auto call = describe(over, what, "");
  if (!what.plan) {
    require_match(over, std::move(call.words));
    return run_natively(over, what).start();
  }
  call_check check(over, std::move(call.words));
  auto then = operation::immediate_activity(over, call.steps, check.tag_of_call());
  return operation(start_after(std::move(check), std::move(then))).start();
}

operation prepare_checked(Communicator const& over, collective const& what) {
  auto call = describe(over, what, "prepared ");
  require_match(over, std::move(call.words));
  return native_of(over, what) ? run_natively(over, what) : operation(over, call.steps);
}

operation make_immediate(Communicator const& over, collective const& what) {
  return make(over, what,
              [&](ports const& edges) { return operation::immediate(over, what.plan(edges)); });
}

/// The operations of the last few calls on one communicator. Ranks need not hit and miss alike: an
/// operation gets its tag when it starts.
class recent_plans {
public:
  static recent_plans& of(Communicator const& over) {
    auto& kept = over.kept_plans();
    if (kept == nullptr)
      kept = std::make_shared<recent_plans>();
    return *static_cast<recent_plans*>(kept.get());
  }

  operation& find_or_make(Communicator const& over, collective const& what) {
    for (call& one : calls_)
      if (one.name == what.name && one.key == what.key)
        return one.planned;
    call made{what.name, what.key, operation::immediate_inside(over, what.plan(ports_of(over)))};
    if (calls_.size() < most) {
      calls_.push_back(std::move(made));
      return calls_.back().planned;
    }
    call& oldest = calls_[oldest_];
    oldest_ = (oldest_ + 1) % most;
    oldest = std::move(made);
    return oldest.planned;
  }

private:
  static constexpr std::size_t most = 8;

  struct call {
    char const* name;
    call_key key;
    operation planned;
  };
  std::vector<call> calls_;
  std::size_t oldest_ = 0;
};

} // namespace

ports ports_of(Communicator const& over) {
  if (over.topology().is_graph())
    return {over.topology(), over.rank(), over.size(), over.structure()};
  return ports_to_everybody(over);
}

bool call_key::is_named(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL)
    return true; // of a buffer that is not looked at
  int num_ints = 0, num_places = 0, num_types = 0, how = 0;
  mpi::check(MPI_Type_get_envelope(type, &num_ints, &num_places, &num_types, &how),
             "MPI_Type_get_envelope");
  return how == MPI_COMBINER_NAMED;
}

bool call_key::are_named(std::vector<elements> const& blocks) {
  MPI_Datatype last = MPI_DATATYPE_NULL;
  for (elements const& one : blocks) {
    if (one.type != last && !is_named(one.type))
      return false;
    last = one.type;
  }
  return true;
}

void call_key::append_list(std::vector<elements> const& blocks) {
  lists_.push_back(blocks.size());
  for (elements const& one : blocks)
    lists_.insert(lists_.end(), {reinterpret_cast<std::uintptr_t>(one.data),
                                 static_cast<std::uintptr_t>(one.count), number_of(one.type)});
}

void run(Communicator const& over, collective const& what) {
  check_meaning(over, what);
  if (checks_are_on())
    return run_checked(over, what);
  if (what.key.is_empty() || native_of(over, what))
    make_immediate(over, what).run();
  else
    recent_plans::of(over).find_or_make(over, what).run();
}

in_flight start(Communicator const& over, collective const& what) {
  check_meaning(over, what);
  if (checks_are_on())
    return start_checked(over, what);
  if (!what.key.is_empty() && !native_of(over, what))
    return in_flight(started_plans::of(over).start(over, what));
  return make_immediate(over, what).start();
}

operation prepare(Communicator const& over, collective const& what) {
  check_meaning(over, what);
  if (checks_are_on())
    return prepare_checked(over, what);
  if (what.check)
    collectively(over.context(), [&] { what.check(over); });
  return make(over, what, [&](ports const& edges) {
    return operation(over, collectively(over.context(), [&] { return what.plan(edges); }));
  });
}

} // namespace seam
