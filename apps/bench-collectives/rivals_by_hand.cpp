// Messages by hand on graphs: along each edge, packed, and packed with persistent requests.
#include "problem.hpp"
#include "rivals.hpp"

#include <map>
#include <memory>

namespace collective_bench {
namespace {

/// A message of doubles between this process and another, or itself.
struct transfer {
  int peer;
  double* block;
  int count;
};

/// A copy of doubles in memory.
struct copy {
  double const* from;
  double* to;
  int count;
};

/// One run of an operation: copies, messages, copies, and a sum.
struct traffic {
  std::vector<copy> before;
  std::vector<transfer> leaving, arriving;
  std::vector<copy> after;
  std::vector<double const*> terms;                       ///< [count] each; their sum is the result
  std::vector<std::shared_ptr<std::vector<double>>> room; ///< buffers of packed messages

  /// Number of messages to other processes.
  int num_messages(int rank) const;
};

/// How an operation distributes its blocks.
struct nature {
  explicit nature(std::string_view name)
      : alltoall(name.starts_with("alltoall")),
        scatters(name.starts_with("scatter")),
        adds(name == "reduce" || name == "allreduce"),
        to_root(name.starts_with("gather") || name == "reduce"),
        from_root(scatters || name == "bcast"),
        empty(name == "barrier") {}

  bool alltoall; ///< every edge has a block of its own
  bool scatters, adds, to_root, from_root, empty;
};

/// Plans the root's messages to each process that it has an edge to: the same block to all, or, if
/// it scatters, that of the last edge, also to itself.
traffic from_root(problem& on, nature const& kind) {
  traffic made;
  if (std::ranges::find(on.in.peers, on.root) != on.in.peers.end() &&
      (kind.scatters || !on.is_root()))
    made.arriving.push_back({on.root, on.in.data(), on.own_count});
  if (!on.is_root())
    return made;
  std::map<int, int> peers2edges;
  for (int e = 0; e < on.out.num_edges(); ++e)
    peers2edges[on.out.peers[e]] = e;
  if (!kind.scatters)
    peers2edges.erase(on.root);
  for (auto const& [peer, e] : peers2edges)
    if (kind.scatters)
      made.leaving.push_back({peer, on.out.block(e), on.out.count(e)});
    else
      made.leaving.push_back({peer, on.out.data(), on.count});
  return made;
}

/// Adds receives of all sources' blocks: into their places, or into scratch from which they are
/// added up.
void add_arrivals(problem& on, nature const& kind, traffic& made) {
  double* first = on.in.data();
  if (kind.adds) {
    made.room.push_back(std::make_shared<std::vector<double>>(on.in.memory.size()));
    first = made.room.back()->data();
  }
  for (int e = 0; e < on.in.num_edges(); ++e) {
    double* const block = first + on.in.places[e];
    made.arriving.push_back({on.in.peers[e], block, kind.empty ? 0 : on.in.count(e)});
    if (kind.adds)
      made.terms.push_back(block);
  }
}

/// Plans a message for each edge, or for each edge that leads to the root.
traffic along_edges(problem& on, nature const& kind) {
  traffic made;
  if (!kind.to_root || on.is_root())
    add_arrivals(on, kind, made);
  for (int e = 0; e < on.out.num_edges(); ++e) {
    int const peer = on.out.peers[e];
    if (!kind.to_root || peer == on.root)
      made.leaving.push_back({peer, kind.alltoall ? on.out.block(e) : on.out.data(),
                              kind.empty ? 0 : on.out.count(e)});
  }
  return made;
}

using transfers_by_peer = std::map<int, std::vector<transfer>>;

transfers_by_peer sorted_by_peer(std::vector<transfer> const& all) {
  transfers_by_peer sorted;
  for (transfer const& message : all)
    sorted[message.peer].push_back(message);
  return sorted;
}

/// Packs the blocks of all edges to a process into one message.
traffic pack(int rank, traffic const& edges) {
  traffic made;
  auto leaving = sorted_by_peer(edges.leaving), arriving = sorted_by_peer(edges.arriving);
  for (int k = 0; k < std::ssize(leaving[rank]); ++k)
    made.before.push_back({leaving[rank][k].block, arriving[rank][k].block,
                           leaving[rank][k].count});
  auto const join = [&](transfers_by_peer const& peers2blocks, std::vector<transfer>& messages,
                        auto const& add_copy) {
    for (auto const& [peer, blocks] : peers2blocks) {
      if (peer == rank)
        continue;
      messages.push_back(blocks[0]);
      if (blocks.size() == 1)
        continue;
      int count = 0;
      for (transfer const& part : blocks)
        count += part.count;
      made.room.push_back(std::make_shared<std::vector<double>>(count));
      double* place = made.room.back()->data();
      messages.back() = {peer, place, count};
      for (transfer const& part : blocks) {
        add_copy(part, place);
        place += part.count;
      }
    }
  };
  join(leaving, made.leaving, [&](transfer const& source, double* place) {
    made.before.push_back({source.block, place, source.count});
  });
  join(arriving, made.arriving, [&](transfer const& target, double* place) {
    made.after.push_back({place, target.block, target.count});
  });
  return made;
}

/// Sends one message to each process, whose block is the same along all edges between both.
traffic send_once(int rank, traffic const& edges) {
  traffic made;
  made.room = edges.room;
  for (auto const& [peer, blocks] : sorted_by_peer(edges.leaving))
    if (peer != rank)
      made.leaving.push_back(blocks[0]);
  std::map<int, double*> peers2blocks;
  if (!edges.leaving.empty())
    peers2blocks[rank] = edges.leaving[0].block;
  for (transfer const& target : edges.arriving) {
    auto const [first, is_new] = peers2blocks.try_emplace(target.peer, target.block);
    if (is_new)
      made.arriving.push_back(target);
    if (!edges.terms.empty())
      made.terms.push_back(first->second);
    else if (first->second != target.block)
      made.after.push_back({first->second, target.block, target.count});
  }
  return made;
}

int traffic::num_messages(int rank) const {
  return static_cast<int>(std::ranges::count_if(leaving, [=](transfer const& message) {
    return message.peer != rank;
  }));
}

/// Plans a message for each edge, as in [Traeff2021] listing 2.
traffic by_edges(problem& on) {
  nature const kind(on.operation());
  return kind.from_root ? from_root(on, kind) : along_edges(on, kind);
}

/// Plans a message for each process: different blocks are packed, and equal blocks are sent once.
traffic by_processes(problem& on) {
  nature const kind(on.operation());
  if (kind.from_root)
    return from_root(on, kind);
  traffic const edges = along_edges(on, kind);
  return kind.alltoall ? pack(on.comm.rank(), edges) : send_once(on.comm.rank(), edges);
}

using seam::mpi::check;

/// Messages and copies that each run repeats.
class repeated_traffic {
public:
  repeated_traffic(problem& on, traffic all) : on_(on), all_(std::move(all)) {
    requests_.resize(all_.arriving.size() + all_.leaving.size(), MPI_REQUEST_NULL);
  }
  repeated_traffic(repeated_traffic const&) = delete;
  repeated_traffic& operator=(repeated_traffic const&) = delete;
  virtual ~repeated_traffic() = default;

  int num_messages() const { return all_.num_messages(on_.comm.rank()); }

  void run() {
    copy_all(all_.before);
    start();
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
    copy_all(all_.after);
    add_terms();
  }

protected:
  virtual void start() { begin_all(MPI_Irecv, "MPI_Irecv", MPI_Isend, "MPI_Isend"); }

  template <class Receive, class Send>
  void begin_all(Receive receive, char const* name_of_receive, Send send,
                 char const* name_of_send) {
    auto request = requests_.begin();
    for (transfer const& source : all_.arriving)
      check(receive(source.block, source.count, MPI_DOUBLE, source.peer, 0, on_.native,
                    &*request++),
            name_of_receive);
    for (transfer const& target : all_.leaving)
      check(send(target.block, target.count, MPI_DOUBLE, target.peer, 0, on_.native, &*request++),
            name_of_send);
  }

  std::vector<MPI_Request> requests_;

private:
  static void copy_all(std::vector<copy> const& all) {
    for (copy const& next : all)
      std::copy_n(next.from, next.count, next.to);
  }

  void add_terms() {
    if (all_.terms.empty())
      return;
    double* const sum = on_.in.data();
    std::copy_n(all_.terms[0], on_.count, sum);
    for (int t = 1; t < std::ssize(all_.terms); ++t)
      for (int k = 0; k < on_.count; ++k)
        sum[k] += all_.terms[t][k];
  }

  problem& on_;
  traffic all_;
};

/// Messages of persistent requests.
class persistent_traffic final : public repeated_traffic {
public:
  persistent_traffic(problem& on, traffic all) : repeated_traffic(on, std::move(all)) {
    begin_all(MPI_Recv_init, "MPI_Recv_init", MPI_Send_init, "MPI_Send_init");
  }
  ~persistent_traffic() override {
    for (MPI_Request& request : requests_)
      MPI_Request_free(&request);
  }

protected:
  void start() override {
    if (!requests_.empty()) // Open MPI refuses to start no requests
      check(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()), "MPI_Startall");
  }
};

template <class Repeated, class Plan>
rival by_hand(std::string_view operation, std::optional<form> how, char const* name, Plan plan) {
  auto make = [plan](problem& on) -> seam::variant {
    auto const kept = std::make_shared<Repeated>(on, plan(on));
    return {.name = {}, .run = [kept] { kept->run(); }, .messages = kept->num_messages()};
  };
  return {operation, place::graph, how, name, make};
}

/// True if a root sends one message to each process, which packing does not change.
bool comes_from_root(std::string_view operation) {
  return operation == "bcast" || operation.starts_with("scatter");
}

} // namespace

std::vector<rival> rivals_by_hand() {
  std::vector<rival> all;
  for (operation const& listed : operations())
    if (listed.on_graphs) {
      all.push_back(by_hand<repeated_traffic>(listed.name, {}, "Isend/Irecv", by_edges));
      if (!comes_from_root(listed.name))
        all.push_back(by_hand<repeated_traffic>(listed.name, {}, "Isend/Irecv packed",
                                                by_processes));
      all.push_back(by_hand<persistent_traffic>(listed.name, form::persistent,
                                                "Send_init/Recv_init packed", by_processes));
    }
  return all;
}

} // namespace collective_bench
