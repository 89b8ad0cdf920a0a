// Messages by hand on graphs: along each edge, packed, and packed with persistent requests.
#include "messages.hpp"
#include "operations.hpp"
#include "rivals.hpp"

namespace collective_bench {
namespace {

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
rival by_hand(std::string_view operation, std::optional<form> how, char const* name, Plan plan,
              origin from) {
  auto make = [plan](problem& on) -> seam::variant {
    auto const kept = std::make_shared<Repeated>(on, plan(on));
    return {.name = {}, .run = [kept] { kept->run(); }, .messages = kept->num_messages()};
  };
  return {operation, place::graph, how, name, make, from};
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
      all.push_back(by_hand<repeated_traffic>(listed.name, {}, "Isend/Irecv", by_edges,
                                              origin::edges));
      if (!comes_from_root(listed.name))
        all.push_back(by_hand<repeated_traffic>(listed.name, {}, "Isend/Irecv packed", by_processes,
                                                origin::packed));
      all.push_back(by_hand<persistent_traffic>(listed.name, form::persistent,
                                                "Send_init/Recv_init packed", by_processes,
                                                origin::packed));
    }
  return all;
}

} // namespace collective_bench
