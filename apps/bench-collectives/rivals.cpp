// What programs do without seam: MPI's neighborhood collectives, and messages written by hand.
#include "problem.hpp"

namespace collective_bench {
namespace {

using seam::mpi::check;

/// Messages along edges by hand: one for each edge that takes part, none for edges back.
class messages {
public:
  explicit messages(problem& on) : on_(on) {}

  void receive(int e, double* into) {
    edge(on_.graph.topology().sources(), e, [&](int peer, MPI_Request* request) {
      return MPI_Irecv(into, on_.count, MPI_DOUBLE, peer, 0, on_.native, request);
    });
  }
  void send(int e, double const* from) {
    edge(on_.graph.topology().destinations(), e, [&](int peer, MPI_Request* request) {
      return MPI_Isend(from, on_.count, MPI_DOUBLE, peer, 0, on_.native, request);
    });
  }
  void wait() {
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
    requests_.clear();
  }

private:
  template <class Start>
  void edge(std::span<seam::edge const> edges, int e, Start start) {
    requests_.push_back(MPI_REQUEST_NULL);
    check(start(edges[static_cast<std::size_t>(e)].rank, &requests_.back()), "MPI_Isend or Irecv");
  }

  problem& on_;
  std::vector<MPI_Request> requests_;
};

bool leads_to(std::span<seam::edge const> edges, int e, int rank) {
  return edges[static_cast<std::size_t>(e)].rank == rank;
}

void add(problem& on, double const* block, double* into) {
  for (int k = 0; k < on.count; ++k)
    into[k] += block[k];
}

void run_by_hand(problem& on, messages& along, std::vector<double>& room) {
  std::string const& what = on.operation;
  auto const sources = on.graph.topology().sources();
  auto const destinations = on.graph.topology().destinations();
  bool const is_root = on.graph.rank() == on.root, rooted_in = what == "gather" || what == "reduce",
             rooted_out = what == "bcast" || what == "scatter";
  bool const reduces = what == "reduce" || what == "allreduce";
  auto const block = [&](int e) { return static_cast<std::ptrdiff_t>(e) * on.count; };
  for (int e = 0; e < on.num_sources(); ++e)
    if (rooted_in ? is_root : !rooted_out || leads_to(sources, e, on.root))
      along.receive(e, reduces ? room.data() + block(e) : on.received_from(e));
  for (int e = 0; e < on.num_destinations(); ++e)
    if (rooted_out ? is_root : !rooted_in || leads_to(destinations, e, on.root))
      along.send(e, what == "alltoall" || what == "scatter" ? on.sent_to(e) : on.send.data());
  along.wait();
  if (!reduces || (rooted_in && !is_root))
    return;
  std::copy_n(room.data(), on.num_sources() > 0 ? on.count : 0, on.receive.data());
  for (int e = 1; e < on.num_sources(); ++e)
    add(on, room.data() + block(e), on.receive.data());
}

} // namespace

seam::variant by_hand(problem& on) {
  auto const along = std::make_shared<messages>(on);
  auto const room = std::make_shared<std::vector<double>>(on.receive.size());
  return {"isend/irecv", [&on, along, room] { run_by_hand(on, *along, *room); }, seam::role::rival};
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
