// Exchanges on random graphs, with edges that repeat, lead back, or carry nothing, against the
// values that the sender is known to have sent.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/halo/exchange.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <sys/mman.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// An edge of a graph that all ranks know in full, with the number of elements along it.
struct load {
  int from, to, elements;
};

std::vector<load> random_loads(int num_ranks, std::mt19937& random) {
  auto const pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  std::vector<load> loads(pick(0, 5 * num_ranks));
  for (load& listed : loads)
    listed = {pick(0, num_ranks - 1), pick(0, num_ranks - 1), pick(0, 9)};
  return loads;
}

/// The array of one rank: elements that leave lie in rows with gaps at its front, those that arrive
/// behind them.
class part {
public:
  static constexpr std::int64_t room = 20; ///< elements set aside for each edge

  part(std::vector<load> const& loads, int rank) : loads_(loads) {
    for (int e = 0; e < std::ssize(loads); ++e) {
      if (loads[e].from == rank)
        leaving.push_back(e);
      if (loads[e].to == rank)
        arriving.push_back(e);
    }
  }

  plan make_plan() const {
    auto const edges = [&](std::vector<int> const& ids, auto peer) {
      std::vector<edge> list;
      for (int e : ids)
        list.push_back({loads_[e].*peer});
      return list;
    };
    return {Topology::graph(edges(arriving, &load::from), edges(leaving, &load::to)),
            regions_of_edges(regions(leaving, 0)),
            regions_of_edges(regions(arriving, std::ssize(leaving)))};
  }

  std::size_t num_elements() const {
    return (leaving.size() + arriving.size()) * static_cast<std::size_t>(room);
  }

  std::vector<int> leaving, arriving; ///< ids of edges

private:
  /// Two elements at a time, every fourth: [x x . . x x . . ], or the last one alone.
  std::vector<region> regions(std::vector<int> const& ids, std::int64_t first) const {
    std::vector<region> list;
    for (int e : ids) {
      std::int64_t const n = loads_[e].elements;
      list.push_back(n % 2 == 0 ? region{first * room, {1, n / 2, 2}, {0, 4}}
                                : region{first * room, {1, n, 1}, {0, 2}});
      ++first;
    }
    return list;
  }

  std::vector<load> const& loads_;
};

std::vector<std::size_t> places(region const& where) {
  std::vector<std::size_t> all;
  for (std::int64_t j = 0; j < where.extent[1]; ++j)
    for (std::int64_t k = 0; k < where.extent[2]; ++k)
      all.push_back(static_cast<std::size_t>(where.offset + j * where.stride[1] + k));
  return all;
}

/// Calls visit(place, edge id, k) for the k-th element of each edge.
template <class Visit>
void for_each_element(regions_of_edges const& regions, std::vector<int> const& ids, Visit visit) {
  for (int e = 0; e < regions.num_edges(); ++e) {
    int k = 0;
    for (std::size_t place : places(regions[e][0]))
      visit(place, ids[e], k++);
  }
}

double value_on(int edge, int k, int round) { return 1000.0 * edge + k + 0.5 * round; }

/// Memory whose addresses no process may touch: the bytes lie elsewhere, at the same offset.
class far_memory final : public memory_kind {
public:
  explicit far_memory(std::size_t bytes)
      : bytes_(bytes),
        first_(static_cast<std::byte*>(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                                            -1, 0))),
        there_(bytes) {
    REQUIRE(first_ != MAP_FAILED);
  }
  ~far_memory() override { munmap(first_, bytes_); }

  void read(block const& from, std::byte* into) const override {
    for_each_row(from, [&](std::byte const* row) {
      std::memcpy(into, row, from.row_bytes);
      into += from.row_bytes;
    });
  }
  void write(std::byte const* from, block const& into) const override {
    for_each_row(into, [&](std::byte* row) {
      std::memcpy(row, from, into.row_bytes);
      from += into.row_bytes;
    });
  }

  template <class T>
  T* first() const {
    return reinterpret_cast<T*>(first_);
  }
  /// The element that others know as first<T>()[k].
  template <class T>
  T& at(std::size_t k) const {
    return reinterpret_cast<T*>(there_.data())[k];
  }

private:
  template <class Visit>
  void for_each_row(block const& rows, Visit visit) const {
    for (std::int64_t i = 0; i < rows.rows[0]; ++i)
      for (std::int64_t j = 0; j < rows.rows[1]; ++j)
        visit(there_.data() + (rows.first - first_) + i * rows.stride[0] + j * rows.stride[1]);
  }

  std::size_t bytes_;
  std::byte* first_;
  mutable std::vector<std::byte> there_;
};

/// Elements of one rank, in far memory or in the host's.
class kept_elements {
public:
  kept_elements(std::size_t count, bool are_far)
      : far_(are_far ? std::make_unique<far_memory>((count + 1) * sizeof(double)) : nullptr),
        near_(are_far ? 0 : count + 1) {}

  exchanged_array described(reduction how) {
    return far_ == nullptr ? exchanged_array::of(near_.data(), how)
                           : exchanged_array::of(far_->first<double>(), how).in(*far_);
  }
  double& operator[](std::size_t k) { return far_ == nullptr ? near_[k] : far_->at<double>(k); }

private:
  std::unique_ptr<far_memory> far_;
  std::vector<double> near_;
};

} // namespace

TEST_CASE("every edge delivers its elements, run after run, in one message for each peer") {
  auto const world = testing::world();
  std::mt19937 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    auto const loads = random_loads(world.size(), random);
    part const own(loads, world.rank());
    plan const exchanged = own.make_plan();
    std::vector<double> a(own.num_elements());
    std::vector<char> b(own.num_elements());
    std::vector const arrays{exchanged_array::of(a.data()), exchanged_array::of(b.data())};
    auto exchange = make_exchange(world, exchanged, arrays);
    CHECK(exchange.num_messages() < world.size());
    for (int round = 0; round < 3; ++round) {
      for_each_element(exchanged.sends(), own.leaving, [&](std::size_t at, int edge, int k) {
        a[at] = value_on(edge, k, round);
        b[at] = static_cast<char>(edge + k + round);
      });
      exchange.run();
      for_each_element(exchanged.receives(), own.arriving, [&](std::size_t at, int edge, int k) {
        CHECK(a[at] == value_on(edge, k, round));
        CHECK(b[at] == static_cast<char>(edge + k + round));
      });
    }
  }
}

TEST_CASE("arrays in memory that the processor cannot touch are exchanged like others") {
  auto const world = testing::world();
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    auto const loads = random_loads(world.size(), random);
    part const own(loads, world.rank());
    plan const exchanged = own.make_plan();
    int const far_ones = std::uniform_int_distribution<int>(0, 15)(random);
    bool const is_odd = world.rank() % 2 != 0;
    kept_elements a(own.num_elements(), (far_ones & (is_odd ? 1 : 2)) != 0),
        b(own.num_elements(), (far_ones & (is_odd ? 4 : 8)) != 0);
    bool const is_summed = trial % 2 != 0;
    std::vector const arrays{a.described(reduction::replace),
                             b.described(is_summed ? reduction::sum : reduction::replace)};
    auto exchange = make_exchange(world, exchanged, arrays);
    for (int round = 0; round < 3; ++round) {
      for_each_element(exchanged.sends(), own.leaving, [&](std::size_t at, int edge, int k) {
        a[at] = value_on(edge, k, round);
        b[at] = -value_on(edge, k, round);
      });
      for_each_element(exchanged.receives(), own.arriving,
                       [&](std::size_t at, int, int) { b[at] = 10 * round; });
      exchange.run();
      INFO("seed 7, trial " << trial << ", round " << round << ", far " << far_ones);
      for_each_element(exchanged.receives(), own.arriving, [&](std::size_t at, int edge, int k) {
        CHECK(a[at] == value_on(edge, k, round));
        CHECK(b[at] == (is_summed ? 10 * round : 0) - value_on(edge, k, round));
      });
    }
  }
}

TEST_CASE("the inverse brings everything back, and the inverse of the inverse is the plan") {
  auto const world = testing::world();
  std::mt19937 random(6);
  for (int trial = 0; trial < 10; ++trial) {
    auto const loads = random_loads(world.size(), random);
    part const own(loads, world.rank());
    plan const exchanged = own.make_plan();
    CHECK(exchanged.inverse().inverse().topology() == exchanged.topology());
    std::vector<double> a(own.num_elements());
    std::vector const arrays{exchanged_array::of(a.data())};
    auto there = make_exchange(world, exchanged, arrays);
    auto back = make_exchange(world, exchanged.inverse(), arrays);
    for_each_element(exchanged.sends(), own.leaving,
                     [&](std::size_t at, int edge, int k) { a[at] = value_on(edge, k, 0); });
    auto const before = a;
    there.run();
    for_each_element(exchanged.sends(), own.leaving, [&](std::size_t at, int, int) { a[at] = -1; });
    back.run();
    for_each_element(exchanged.sends(), own.leaving,
                     [&](std::size_t at, int, int) { CHECK(a[at] == before[at]); });
  }
}

TEST_CASE("sums into one element come from all edges, in the same bits every time") {
  auto const world = testing::world();
  int const size = world.size();
  std::vector<edge> everybody;
  for (int k = 0; k < size; ++k)
    everybody.push_back({(world.rank() * 3 + k) % size});
  std::vector<region> const one(size, region{0, {1, 1, 1}, {0, 0}});
  std::vector<region> const other(size, region{1, {1, 1, 1}, {0, 0}});
  plan const exchanged(Topology::graph(everybody, everybody), regions_of_edges(one),
                       regions_of_edges(other));
  double values[2] = {};
  std::vector const arrays{exchanged_array::of(values, reduction::sum)};
  auto exchange = make_exchange(world, exchanged, arrays);
  double expected = 100;
  for (edge const& source : everybody)
    expected += 0.1 * (source.rank + 1);
  for (int round = 0; round < 20; ++round) {
    values[0] = 0.1 * (world.rank() + 1);
    values[1] = 100;
    exchange.run();
    CHECK(values[1] == expected);
  }
}

TEST_CASE("ranks that register different arrays are refused, all of them") {
  auto const world = testing::world();
  if (world.size() == 1)
    return;
  plan const nothing(Topology::graph({}, {}), regions_of_edges(), regions_of_edges());
  double a = 0;
  char b = 0;
  std::vector const arrays{world.rank() == 1 ? exchanged_array::of(&b) : exchanged_array::of(&a)};
  CHECK_THROWS_WITH(make_exchange(world, nothing, arrays),
                    Catch::Contains("expected the same on all ranks: [8") &&
                        Catch::Contains("], 1 as on rank 0") && Catch::Contains("first on rank 1"));
}

TEST_CASE("a plan needs a list of regions for each edge") {
  CHECK_THROWS_WITH(plan(Topology::graph({}, {{0}}), regions_of_edges(), regions_of_edges()),
                    Catch::Contains("0 region lists for 1 destinations"));
}

TEST_CASE("an edge whose gate is opened alone arrives alone") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  // Three edges too long to share a message, to the next rank, to itself and to the one before.
  constexpr std::int64_t length = 1000;
  auto const third = [](std::int64_t k) {
    return region{.offset = k * length, .extent = {1, 1, length}, .stride = {}};
  };
  plan const there(Topology::graph({{before}, {rank}, {next}}, {{next}, {rank}, {before}}),
                   regions_of_edges(std::vector{third(0), third(1), third(2)}),
                   regions_of_edges(std::vector{third(3), third(4), third(5)}));
  std::vector<double> values(6 * length);
  auto const array = exchanged_array::of(values.data());
  operation edges =
      make_exchange(world, std::span(&there, 1), std::span(&array, 1), gating::by_edge);
  std::vector<int> order{0, 1, 2};
  for (int round = 0; round < 6; ++round, std::ranges::next_permutation(order)) {
    std::fill(values.begin(), values.begin() + 3 * length, 10 * round + rank);
    auto flying = edges.start_gated();
    for (int k = 0; k < 3; ++k) {
      int const edge = order[std::size_t(k)];
      mpi::barrier(world);
      for (int later = k; later < 3 && size > 2; ++later)
        CHECK_FALSE(flying.arrived(order[std::size_t(later)]));
      mpi::barrier(world);
      flying.open(edge);
      // On two ranks the first edge and the last lead to the same process.
      while (size > 2 && !flying.arrived(edge)) {
      }
      if (size > 2)
        CHECK(values[std::size_t((3 + edge) * length)] == 10 * round + (edge == 0   ? before
                                                                        : edge == 1 ? rank
                                                                                    : next));
    }
    flying.wait();
    CHECK(flying.arrived(0));
    CHECK_THROWS_WITH(flying.arrived(3), Catch::Contains("source 3 does not exist"));
  }
}

TEST_CASE("a sum of values of the process itself waits for its gate") {
  auto const world = testing::world();
  int const rank = world.rank();
  region const first{.offset = 0, .extent = {1, 1, 1}, .stride = {}}, second{1, {1, 1, 1}, {}};
  plan const itself(Topology::graph({{rank}}, {{rank}}), regions_of_edges(std::vector{first}),
                    regions_of_edges(std::vector{second}));
  std::vector<double> values{1, 10};
  auto const array = exchanged_array::of(values.data(), reduction::sum);
  operation add = make_exchange(world, itself, std::span(&array, 1));
  auto flying = add.start_gated();
  CHECK_FALSE(flying.test());
  values[0] = 2;
  flying.open(0);
  flying.wait();
  CHECK(values[1] == 12);
}
