#include "ranks.hpp"

#include <seam/endpoints.hpp>
#include <seam/messages.hpp>

#include <ctime>
#include <deque>
#include <thread>
#include <vector>

namespace bench {
namespace {

class endpoint_rank final : public rank_of_group {
public:
  explicit endpoint_rank(seam::Communicator const& all) : all_(all), rank_(all.rank()) {}

  int rank() const override { return rank_; }
  int size() const override { return all_.size(); }
  void send(std::span<std::byte const> bytes, int to) override { seam::send(all_, bytes, to); }
  void receive(std::span<std::byte> into, int from) override { seam::receive(all_, into, from); }
  void send_many(std::span<std::byte const> bytes, int to, int count) override {
    std::deque<seam::in_flight> flying;
    for (int k = 0; k < count; ++k)
      flying.push_back(seam::start_send(all_, bytes, to));
  }
  void receive_many(std::span<std::byte> into, int from, int count) override {
    std::deque<seam::in_flight> flying;
    for (int k = 0; k < count; ++k)
      flying.push_back(seam::start_receive(all_, into, from));
  }
  double sum(double value) override {
    seam::run(all_, seam::allreduce(std::span<double const>(&value, 1), std::span(&sum_, 1),
                                    std::plus<>()));
    return sum_;
  }

private:
  seam::Communicator const& all_;
  int rank_;
  double sum_ = 0;
};

// A thread that waits in a call of MPICH 4.0 can keep the process's other threads from theirs for ever.
#if defined(MPICH_NUMVERSION)
constexpr bool threads_have_to_test = true;
#else
constexpr bool threads_have_to_test = false;
#endif

// A rank that calls MPI. Between threads of one process the tag names the sender and the receiver.
class rank_of_mpi final : public rank_of_group {
public:
  rank_of_mpi(MPI_Comm comm, int rank, int size, bool are_threads)
      : comm_(comm), rank_(rank), size_(size), are_threads_(are_threads) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void send(std::span<std::byte const> bytes, int to) override {
    if (has_to_test())
      return send_many(bytes, to, 1);
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, process(to), tag(rank_, to),
             comm_);
  }
  void receive(std::span<std::byte> into, int from) override {
    if (has_to_test())
      return receive_many(into, from, 1);
    MPI_Recv(into.data(), static_cast<int>(into.size()), MPI_BYTE, process(from), tag(from, rank_),
             comm_, MPI_STATUS_IGNORE);
  }
  void send_many(std::span<std::byte const> bytes, int to, int count) override {
    requests_.resize(count);
    for (MPI_Request& each : requests_)
      MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, process(to), tag(rank_, to),
                comm_, &each);
    wait_for_all();
  }
  void receive_many(std::span<std::byte> into, int from, int count) override {
    requests_.resize(count);
    for (MPI_Request& each : requests_)
      MPI_Irecv(into.data(), static_cast<int>(into.size()), MPI_BYTE, process(from),
                tag(from, rank_), comm_, &each);
    wait_for_all();
  }
  bool has_collectives() const override { return !are_threads_; }
  double sum(double value) override {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm_);
    return value;
  }

private:
  int process(int of_rank) const { return are_threads_ ? 0 : of_rank; }
  int tag(int from, int to) const { return are_threads_ ? from * size_ + to : 0; }
  bool has_to_test() const { return threads_have_to_test && are_threads_; }

  void wait_for_all() {
    int const count = static_cast<int>(requests_.size());
    if (has_to_test())
      for (int done = 0; done == 0; std::this_thread::yield())
        MPI_Testall(count, requests_.data(), &done, MPI_STATUSES_IGNORE);
    else
      MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE);
  }

  MPI_Comm comm_;
  int rank_, size_;
  bool are_threads_;
  std::vector<MPI_Request> requests_;
};

// Waits for all processes, asleep: they leave the cores to those that work.
void meet_asleep(seam::Communicator const& processes) {
  MPI_Request met = MPI_REQUEST_NULL;
  MPI_Ibarrier(processes.view().native(), &met);
  for (int done = 0; done == 0; MPI_Test(&met, &done, MPI_STATUS_IGNORE)) {
    constexpr timespec nap{.tv_sec = 0, .tv_nsec = 2'000'000};
    nanosleep(&nap, nullptr);
  }
}

} // namespace

void on_endpoints(seam::Communicator const& processes, act_of_rank const& act) {
  if (processes.rank() == 0) {
    auto const own =
        seam::create_endpoints(seam::Communicator::dup(MPI_COMM_SELF), processes.size());
    std::vector<std::jthread> threads;
    for (seam::Communicator const& each : own)
      threads.emplace_back([&] {
        endpoint_rank self(each);
        act(self);
      });
  }
  meet_asleep(processes);
}

void on_processes(seam::Communicator const& processes, act_of_rank const& act) {
  rank_of_mpi self(processes.view().native(), processes.rank(), processes.size(), false);
  act(self);
  meet_asleep(processes);
}

void on_threads_of_mpi(seam::Communicator const& processes, act_of_rank const& act) {
  if (processes.rank() == 0) {
    seam::Communicator const self = seam::Communicator::dup(MPI_COMM_SELF);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < processes.size(); ++rank)
      threads.emplace_back([&, rank] {
        rank_of_mpi own(self.view().native(), rank, processes.size(), true);
        act(own);
      });
  }
  meet_asleep(processes);
}

} // namespace bench
