#include "hosts.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace mapping_bench {
namespace {

constexpr char const* counters_file = "/proc/net/dev";

/// Reads the traffic of this process's network interfaces, which are those of its host.
traffic traffic_here() {
  std::ifstream counters(counters_file);
  if (!counters)
    seam::refuse(std::string("hosts: cannot read '") + counters_file + "'");
  return traffic_in(counters);
}

} // namespace

traffic traffic_in(std::istream& counters) {
  constexpr int between = 7; // numbers from the bytes received to the bytes sent
  traffic all;
  for (std::string line; std::getline(counters, line);) {
    auto const colon = line.find(':');
    if (colon == std::string::npos)
      continue; // the heading
    std::string name;
    std::istringstream(line.substr(0, colon)) >> name;
    std::istringstream numbers(line.substr(colon + 1));
    traffic of;
    std::int64_t ignored = 0;
    numbers >> of.received;
    for (int i = 0; i < between; ++i)
      numbers >> ignored;
    if (numbers >> of.sent && name != "lo") {
      all.sent += of.sent;
      all.received += of.received;
    }
  }
  return all;
}

hosts::hosts(seam::mpi::comm_view world)
    : world_(world), placement_(seam::gather_placement(world)) {
  auto const& nodes = placement_.tree.nodes();
  int const place = placement_.ranks2places[world.rank()];
  host_ = nodes.places2parts()[place];
  index_ = place - nodes.parts2firsts[host_];
}

seam::placement hosts::placement_of(seam::mpi::comm_view other) const {
  seam::placement placed = placement_;
  auto const other2world = seam::mpi::allgather(other, world_.rank());
  for (int rank = 0; rank < std::ssize(other2world); ++rank) {
    placed.ranks2places[rank] = placement_.ranks2places[other2world[rank]];
    placed.ranks2bindings[rank] = placement_.ranks2bindings[other2world[rank]];
  }
  return placed;
}

std::vector<traffic> hosts::count_traffic() const {
  std::vector<std::int64_t> numbers(2 * count());
  seam::collectively(world_, [&] {
    if (index_ != 0)
      return;
    auto const [sent, received] = traffic_here();
    numbers[2 * host_] = sent;
    numbers[2 * host_ + 1] = received;
  });
  seam::mpi::allreduce(world_, std::span(numbers), MPI_SUM);
  std::vector<traffic> all;
  for (int host = 0; host < count(); ++host)
    all.push_back({numbers[2 * host], numbers[2 * host + 1]});
  return all;
}

} // namespace mapping_bench
