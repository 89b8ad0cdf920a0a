#include <seam/exchange/collectives/collective.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>

#include <fmt/format.h>

#include <atomic>
#include <vector>

namespace seam {
namespace {

/// A collective that the MPI library carries out, in seam's own context.
class native_activity final : public activity {
public:
  native_activity(Communicator const& over, collective::native_call begin, char const* name)
      : keep_alive_(over.keep_alive()),
        context_(over.context()),
        begin_(std::move(begin)),
        name_(name) {}
  ~native_activity() override {
    if (std::uncaught_exceptions() == 0)
      wait();
  }

  void start() override {
    if (request_ != MPI_REQUEST_NULL)
      refuse(fmt::format("{}: the operation is in flight already (expected wait before the next "
                         "start)",
                         name_));
    mpi::check(begin_(context_.native(), &request_), name_);
  }
  void start_gated() override {
    refuse(fmt::format("{}: the MPI library has no gates (expected a graph communicator)", name_));
  }
  void open(int) override { start_gated(); }

  bool test() override {
    if (testing_.test_and_set(std::memory_order_acquire))
      return false;
    int done = 1;
    int const code = MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
    testing_.clear(std::memory_order_release);
    mpi::check(code, name_);
    return done != 0;
  }

private:
  std::shared_ptr<void const> keep_alive_;
  mpi::comm_view context_;
  collective::native_call begin_;
  char const* name_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::atomic_flag testing_;
};

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

/// Runs what the MPI library carries out, or hands the schedule to `with`.
template <class WithSchedule>
operation make(Communicator const& over, collective const& what, WithSchedule with) {
  check_meaning(over, what);
  if (auto const& native = native_of(over, what))
    return operation(std::make_shared<native_activity>(over, native, what.name));
  return with(ports_of(over));
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

Topology all_edges(int num_peers) {
  std::vector<edge> edges;
  for (int rank = 0; rank < num_peers; ++rank)
    edges.push_back({rank});
  return Topology::graph(edges, edges);
}

} // namespace

ports ports_of(Communicator const& over) {
  switch (over.topology().kind()) {
  case topology_kind::complete: return {all_edges(over.size()), over.rank(), over.size(), nullptr};
  case topology_kind::bipartite: {
    int remote = 0;
    mpi::check(MPI_Comm_remote_size(over.view().native(), &remote), "MPI_Comm_remote_size");
    return {all_edges(remote), MPI_PROC_NULL, remote, nullptr};
  }
  case topology_kind::graph: break;
  }
  return {over.topology(), over.rank(), over.size(), over.structure()};
}

bool call_key::is_named(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL)
    return true; // of a buffer that is not looked at
  int num_ints = 0, num_places = 0, num_types = 0, how = 0;
  mpi::check(MPI_Type_get_envelope(type, &num_ints, &num_places, &num_types, &how),
             "MPI_Type_get_envelope");
  return how == MPI_COMBINER_NAMED;
}

void run(Communicator const& over, collective const& what) {
  check_meaning(over, what);
  if (what.key.is_empty() || native_of(over, what))
    make_immediate(over, what).run();
  else
    recent_plans::of(over).find_or_make(over, what).run();
}

in_flight start(Communicator const& over, collective const& what) {
  return make_immediate(over, what).start();
}

operation prepare(Communicator const& over, collective const& what) {
  return make(over, what, [&](ports const& edges) {
    return operation(over, collectively(over.context(), [&] { return what.plan(edges); }));
  });
}

} // namespace seam
