// Exchanges in place on graphs with edges to oneself, parallel edges and processes without edges,
// against a serial program that moves all blocks at once.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>

#include <exchange/collectives/collective_cases.hpp>

#include <fmt/format.h>

#include <array>
#include <map>
#include <numeric>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// Block `position` of a process: it leaves along the destination of that number, and the block
/// that comes along the source of that number overwrites it.
struct place {
  int rank, position;
  friend auto operator<=>(place const&, place const&) = default;
};

/// A graph whose processes have as many edges in as out, known to all ranks.
class balanced_graph {
public:
  explicit balanced_graph(int size)
      : destinations_(std::size_t(size)), sources_(std::size_t(size)) {}

  void add(int from, int to) {
    destinations_[std::size_t(from)].push_back({to});
    sources_[std::size_t(to)].push_back({from});
  }

  /// Moves the edges to other positions.
  void shuffle(std::mt19937& random) {
    for (auto* const lists : {&destinations_, &sources_})
      for (auto& edges : *lists)
        std::ranges::shuffle(edges, random);
  }

  Topology topology(int rank) const {
    return Topology::graph(sources_[std::size_t(rank)], destinations_[std::size_t(rank)]);
  }
  std::size_t degree(int rank) const { return sources_[std::size_t(rank)].size(); }

  /// The place whose block arrives at `to`: it comes along the k-th edge between the two processes.
  place origin(place const& to) const {
    auto const& in = sources_[std::size_t(to.rank)];
    int const from = in[std::size_t(to.position)].rank;
    auto left = std::count(in.begin(), in.begin() + to.position, edge{from});
    auto const& out = destinations_[std::size_t(from)];
    int position = 0;
    while (out[std::size_t(position)].rank != to.rank || left-- > 0)
      ++position;
    return {from, position};
  }

private:
  std::vector<std::vector<edge>> destinations_, sources_;
};

/// Permutations of some of the processes, one after another, with many fixed points.
balanced_graph random_balanced_graph(int size, std::mt19937& random) {
  balanced_graph graph(size);
  int const layers = std::uniform_int_distribution(0, 5)(random);
  for (int layer = 0; layer < layers; ++layer) {
    std::vector<int> members;
    for (int rank = 0; rank < size; ++rank)
      if (random() % 4 != 0)
        members.push_back(rank);
    auto images = members;
    if (random() % 3 != 0)
      std::ranges::shuffle(images, random);
    for (std::size_t m = 0; m < members.size(); ++m)
      graph.add(members[m], images[m]);
  }
  graph.shuffle(random);
  return graph;
}

/// Elements of one block: of one length along each chain of places that a block passes through.
using lengths_of_places = std::map<place, std::int64_t>;

constexpr std::array<std::int64_t, 5> lengths{0, 1, 7, 300, 8500};

lengths_of_places random_lengths(balanced_graph const& graph, int size, std::mt19937& random) {
  lengths_of_places found;
  for (int rank = 0; rank < size; ++rank)
    for (int position = 0; position < static_cast<int>(graph.degree(rank)); ++position) {
      std::int64_t const length = lengths[random() % lengths.size()];
      for (place at{rank, position}; found.try_emplace(at, length).second;)
        at = graph.origin(at);
    }
  return found;
}

/// Blocks of this process one behind the other, element k of each `step` values apart.
struct layout {
  layout(balanced_graph const& graph, lengths_of_places const& given, int rank, int spacing)
      : step(spacing) {
    for (int position = 0; position < static_cast<int>(graph.degree(rank)); ++position) {
      counts.push_back(given.at({rank, position}));
      firsts.push_back(num_values);
      num_values += std::size_t(counts.back()) * std::size_t(step);
    }
  }

  std::vector<std::int64_t> counts;
  std::vector<std::size_t> firsts;
  std::size_t num_values = 0;
  int step;
};

std::int64_t value_at(place const& from, std::int64_t k) {
  return 1000000 * from.rank + 10000 * from.position + k;
}

/// The values before the exchange, and those after it.
values filled(layout const& with, auto const& origin_of) {
  values all(with.num_values, untouched);
  for (std::size_t b = 0; b < with.counts.size(); ++b)
    for (std::int64_t k = 0; k < with.counts[b]; ++k)
      all[with.firsts[b] + std::size_t(k) * std::size_t(with.step)] =
          value_at(origin_of(static_cast<int>(b)), k);
  return all;
}

mpi::datatype every_other_value() {
  mpi::datatype apart;
  mpi::check(MPI_Type_create_resized(MPI_INT64_T, 0, 2 * sizeof(std::int64_t), apart.receive()),
             "MPI_Type_create_resized");
  mpi::check(MPI_Type_commit(apart.receive()), "MPI_Type_commit");
  return apart;
}

/// Exchanges blocks of these lengths in place, in all forms.
void check_in_place(Communicator const& over, balanced_graph const& graph,
                    lengths_of_places const& given, bool derived, bool alike) {
  int const rank = over.rank();
  layout const with(graph, given, rank, derived ? 2 : 1);
  values const before = filled(with, [&](int b) { return place{rank, b}; });
  values const after = filled(with, [&](int b) { return graph.origin({rank, b}); });
  mpi::datatype const apart = every_other_value();
  MPI_Datatype const type = derived ? apart.native() : MPI_INT64_T;
  values buffer(with.num_values);
  std::vector<elements> blocks;
  for (std::size_t b = 0; b < with.counts.size(); ++b)
    blocks.push_back({buffer.data() + with.firsts[b], with.counts[b], type});
  collective const exchanged =
      alike ? alltoall({MPI_IN_PLACE, 0, MPI_INT64_T},
                       {buffer.data(), blocks.empty() ? 0 : blocks[0].count, type})
            : alltoallw({}, blocks);
  in_all_forms(
      over, exchanged, [&] { buffer = before; }, [&] { CHECK((buffer == after)); });
}

} // namespace

TEST_CASE("in place, a block that stays in its process leaves before another takes its place") {
  auto const world = testing::world();
  int const last = world.size() - 1, rank = world.rank();
  // The last process's sources are 0, last, last, last, its destinations last, last, last, 0.
  balanced_graph graph(world.size());
  if (world.size() > 1)
    graph.add(0, last);
  for (int k = 0; k < 3; ++k)
    graph.add(last, last);
  graph.add(last, 0);
  auto const comm = make_graph(world, graph.topology(rank));
  for (std::int64_t const length : lengths)
    for (bool const derived : {false, true}) {
      INFO(fmt::format("{} elements, derived {}", length, derived));
      lengths_of_places alike;
      for (int r = 0; r < world.size(); ++r)
        for (int p = 0; p < static_cast<int>(graph.degree(r)); ++p)
          alike[{r, p}] = length;
      check_in_place(comm, graph, alike, derived, true);
      check_in_place(comm, graph, alike, derived, false);
    }
}

TEST_CASE("in place, blocks of any length change places on random graphs") {
  auto const world = testing::world();
  for (unsigned seed = 0; seed < 24; ++seed) {
    std::mt19937 random(seed);
    auto const graph = random_balanced_graph(world.size(), random);
    auto given = random_lengths(graph, world.size(), random);
    bool const alike = random() % 3 == 0, derived = random() % 2 == 0;
    if (alike)
      for (std::int64_t const length = lengths[random() % lengths.size()]; auto& [_, count] : given)
        count = length;
    INFO(fmt::format("seed {}, alike {}, derived {}", seed, alike, derived));
    check_in_place(make_graph(world, graph.topology(world.rank())), graph, given, derived, alike);
  }
}

TEST_CASE("in place, data that arrives behind a closed gate does not overwrite data that leaves") {
  auto const world = testing::world();
  int const rank = world.rank();
  for (unsigned seed = 100; seed < 106; ++seed) {
    INFO(fmt::format("seed {}", seed));
    std::mt19937 random(seed);
    auto const graph = random_balanced_graph(world.size(), random);
    auto const given = random_lengths(graph, world.size(), random);
    auto const comm = make_graph(world, graph.topology(rank));
    layout const with(graph, given, rank, 1);
    values buffer = filled(with, [&](int b) { return place{rank, b}; });
    values const after = filled(with, [&](int b) { return graph.origin({rank, b}); });
    std::vector<elements> blocks;
    for (std::size_t b = 0; b < with.counts.size(); ++b)
      blocks.push_back({buffer.data() + with.firsts[b], with.counts[b], MPI_INT64_T});
    operation kept = prepare(comm, alltoallw({}, blocks));
    auto flying = kept.start_gated();
    bool const is_early = rank % 2 == 0;
    if (is_early)
      flying.open(0);
    mpi::barrier(world);
    for (int look = 0; look < 2000 && with.num_values > 0; ++look) // else it is complete
      flying.test();
    if (!is_early)
      flying.open(0);
    flying.wait();
    CHECK((buffer == after));
  }
}

TEST_CASE("in place, an allgather's own block is the first that comes from the process itself") {
  auto const world = testing::world();
  int const rank = world.rank();
  for (unsigned seed = 200; seed < 212; ++seed) {
    std::mt19937 random(seed);
    auto graph = random_balanced_graph(world.size(), random);
    for (int r = 0; r < world.size(); ++r)
      graph.add(r, r);
    graph.shuffle(random);
    std::int64_t const length = lengths[random() % lengths.size()];
    bool const in_blocks = random() % 2 == 0;
    INFO(fmt::format("seed {}, {} elements, in blocks {}", seed, length, in_blocks));
    auto const topology = graph.topology(rank);
    auto const sources = topology.sources();
    auto const own = std::ranges::find(sources, edge{rank}) - sources.begin();
    values buffer(sources.size() * std::size_t(length)), after;
    std::vector<elements> blocks;
    for (std::size_t b = 0; b < sources.size(); ++b) {
      append(after, values(std::size_t(length), value_at({sources[b].rank, 0}, 5)));
      blocks.push_back({buffer.data() + b * std::size_t(length), length, MPI_INT64_T});
    }
    elements const here{MPI_IN_PLACE, 0, MPI_INT64_T};
    in_all_forms(
        make_graph(world, topology),
        in_blocks ? allgatherw(here, blocks) : allgather(here, blocks[0]),
        [&] {
          std::ranges::fill(buffer, untouched);
          std::fill_n(buffer.begin() + own * length, length, value_at({rank, 0}, 5));
        },
        [&] { CHECK((buffer == after)); });
  }
}
