// Ranks of three kinds that do the same tasks: endpoints of seam, processes of MPI, and threads of
// one process that send to each other by MPI.
#pragma once

#include <kit/benchmark.hpp>
#include <seam/exchange.hpp>

#include <cstddef>
#include <functional>
#include <span>

namespace bench {

// One rank of a group. Each thread has its own.
class rank_of_group : public method {
public:
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(std::span<std::byte const> bytes, int to) = 0;
  virtual void receive(std::span<std::byte> into, int from) = 0;

  // Sends to `to`, or receives from it, `count` messages at once, and waits for all.
  virtual void send_many(std::span<std::byte const> bytes, int to, int count) = 0;
  virtual void receive_many(std::span<std::byte> into, int from, int count) = 0;

  virtual bool has_collectives() const { return true; }
  virtual double sum(double value) = 0;
};

// Kinds of groups. `act` is called for each rank of a group of as many ranks as there are
// processes; processes without a rank wait meanwhile.
using act_of_rank = std::function<void(rank_of_group&)>;
void on_endpoints(seam::Communicator const& processes, act_of_rank const& act);
void on_processes(seam::Communicator const& processes, act_of_rank const& act);
void on_threads_of_mpi(seam::Communicator const& processes, act_of_rank const& act);

} // namespace bench
