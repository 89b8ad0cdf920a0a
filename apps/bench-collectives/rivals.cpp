// What programs do without seam: MPI's neighborhood collectives, and messages written by hand.
#include "problem.hpp"

#include <map>

namespace collective_bench {
namespace {

using seam::mpi::check;

/// Messages by hand: which block goes where is found once, as a program would.
class messages {
public:
  explicit messages(problem& on) : on_(on), count_(on.operation == "barrier" ? 0 : on.count) {}

  void add_receive(int e, double* into) {
    receives_.push_back({on_.graph.topology().sources()[static_cast<std::size_t>(e)].rank, into});
  }
  void add_send(int e, double* from) {
    sends_.push_back({on_.graph.topology().destinations()[static_cast<std::size_t>(e)].rank, from});
  }

  void exchange() {
    requests_.resize(receives_.size() + sends_.size());
    auto request = requests_.begin();
    for (message const& one : receives_)
      check(MPI_Irecv(one.block, count_, MPI_DOUBLE, one.peer, 0, on_.native, &*request++),
            "MPI_Irecv");
    for (message const& one : sends_)
      check(MPI_Isend(one.block, count_, MPI_DOUBLE, one.peer, 0, on_.native, &*request++),
            "MPI_Isend");
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
  }

private:
  struct message {
    int peer;
    double* block;
  };

  problem& on_;
  int count_;
  std::vector<message> receives_, sends_;
  std::vector<MPI_Request> requests_;
};

/// A block of the root's for each process that it has an edge to: the same for all, or, if it
/// scatters, that of the last edge, and one for itself too.
void add_from_root(problem& on, messages& along) {
  bool const scatters = on.operation == "scatter";
  int const rank = on.graph.rank();
  auto const sources = on.graph.topology().sources();
  auto const destinations = on.graph.topology().destinations();
  auto const from_root = std::ranges::find(sources, on.root, &seam::edge::rank);
  if (from_root != sources.end() && (scatters || rank != on.root))
    along.add_receive(static_cast<int>(from_root - sources.begin()), on.receive.data());
  if (rank != on.root)
    return;
  std::map<int, int> rank2edge;
  for (int e = 0; e < on.num_destinations(); ++e)
    rank2edge[destinations[static_cast<std::size_t>(e)].rank] = e;
  if (!scatters)
    rank2edge.erase(rank);
  for (auto const& [_, e] : rank2edge)
    along.add_send(e, scatters ? on.sent_to(e) : on.send.data());
}

/// A block along every edge, or along those that end at the root. @param arrived  where they go
void add_along_edges(problem& on, messages& along, bool to_root, double* arrived) {
  auto const destinations = on.graph.topology().destinations();
  for (int e = 0; e < on.num_sources(); ++e)
    if (!to_root || on.graph.rank() == on.root)
      along.add_receive(e, arrived + static_cast<std::ptrdiff_t>(e) * on.count);
  for (int e = 0; e < on.num_destinations(); ++e)
    if (!to_root || destinations[static_cast<std::size_t>(e)].rank == on.root)
      along.add_send(e, on.operation == "alltoall" ? on.sent_to(e) : on.send.data());
}

/// The sum of the blocks that arrived.
void add_up(problem& on, std::vector<double> const& arrived) {
  std::copy_n(arrived.data(), on.num_sources() > 0 ? on.count : 0, on.receive.data());
  for (int e = 1; e < on.num_sources(); ++e)
    for (int k = 0; k < on.count; ++k)
      on.receive[static_cast<std::size_t>(k)] +=
          arrived[static_cast<std::size_t>(e) * static_cast<std::size_t>(on.count) +
                  static_cast<std::size_t>(k)];
}

} // namespace

seam::variant by_hand(problem& on) {
  std::string const& what = on.operation;
  auto const along = std::make_shared<messages>(on);
  seam::variant made{"isend/irecv", [along] { along->exchange(); }, seam::role::rival};
  bool const to_root = what == "gather" || what == "reduce";
  if (what == "bcast" || what == "scatter")
    add_from_root(on, *along);
  else if (what != "reduce" && what != "allreduce")
    add_along_edges(on, *along, to_root, on.receive.data());
  else {
    auto const arrived = std::make_shared<std::vector<double>>(on.receive.size());
    add_along_edges(on, *along, to_root, arrived->data());
    made.run = [&on, along, arrived, adds = !to_root || on.graph.rank() == on.root] {
      along->exchange();
      if (adds)
        add_up(on, *arrived);
    };
  }
  return made;
}

seam::variant neighbor_collective(problem& on) {
  seam::variant made{"mpi_neighbor_" + on.operation, {}, seam::role::rival};
  if (on.operation == "alltoall")
    made.run = [&on] {
      check(MPI_Neighbor_alltoall(on.send.data(), on.count, MPI_DOUBLE, on.receive.data(), on.count,
                                  MPI_DOUBLE, on.native),
            "MPI_Neighbor_alltoall");
    };
  if (on.operation == "allgather")
    made.run = [&on] {
      check(MPI_Neighbor_allgather(on.send.data(), on.count, MPI_DOUBLE, on.receive.data(),
                                   on.count, MPI_DOUBLE, on.native),
            "MPI_Neighbor_allgather");
    };
  return made;
}

} // namespace collective_bench
