// What every part of a partitioned operation promises: a partition arrives once all of its bytes
// have been marked, and not before, whatever the partitions at the other end and the order of marks.
#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/channel.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

#include <support/catch.hpp>
#include <support/partitioned.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// The parts of an edge from a process to itself, with buffers of the same bytes.
struct tested_edge {
  partitioned_buffer from, into;
  std::vector<std::unique_ptr<part>> parts; ///< one for both ends, or one for each

  part& leaving() const { return *parts.front(); }
  part& arriving() const { return *parts.back(); }

  void start() const {
    for (auto const& end : parts)
      end->start();
  }
  bool test() const {
    bool complete = true;
    for (auto const& end : parts)
      complete = end->test() && complete;
    return complete;
  }
};

struct kind {
  char const* name;
  std::function<tested_edge(partitioned_buffer const& from, partitioned_buffer const& into)> make;
};

std::vector<kind> kinds(Communicator const& self) {
  auto const copied = [](partitioned_buffer const& from, partitioned_buffer const& into) {
    tested_edge made{from, into, {}};
    made.parts.push_back(make_own_edge(from, into));
    return made;
  };
  auto const sent = [&self](std::optional<int> messages) {
    return [&self, messages](partitioned_buffer const& from, partitioned_buffer const& into) {
      static int tag = 0;
      channel_end const sending{.name = "psend", .peer = 0, .tag = ++tag, .buffer = from};
      channel_end const receiving{.name = "precv", .peer = 0, .tag = tag, .buffer = into};
      tested_edge made{from, into, {}};
      made.parts.push_back(make_sending_end(self, sending, messages));
      made.parts.push_back(make_receiving_end(self, receiving));
      return made;
    };
  };
  return {{"a copy", copied}, {"a channel", sent(std::nullopt)}, {"a channel, split", sent(3)}};
}

/// True if all bytes of partition `p` of `into` lie in partitions of `from` that are marked.
bool may_arrive(tested_edge const& edge, int p, std::vector<bool> const& marked) {
  for (std::int64_t element = p * edge.into.count; element < (p + 1) * edge.into.count; ++element)
    if (!marked[std::size_t(element / edge.from.count)])
      return false;
  return true;
}

void run_epoch(tested_edge const& edge, std::vector<int>& sent, std::vector<int>& received,
               int epoch, std::mt19937& random) {
  for (int k = 0; k < std::ssize(sent); ++k)
    sent[std::size_t(k)] = 1000 * epoch + k;
  std::ranges::fill(received, -1);
  edge.start();
  std::vector<bool> marked(std::size_t(edge.from.partitions));
  for (int const p : testing::shuffled(edge.from.partitions, random)) {
    CHECK(std::ranges::count(edge.leaving().not_ready(), p) == 1);
    CHECK_FALSE(edge.test());
    CHECK(edge.leaving().ready(p, p + 1) == -1);
    CHECK(edge.leaving().ready(p, p + 1) == p); // is marked already
    marked[std::size_t(p)] = true;
    for (int other = 0; other < edge.into.partitions; ++other)
      if (edge.arriving().has_arrived(other))
        CHECK(may_arrive(edge, other, marked));
  }
  CHECK(edge.leaving().not_ready().empty());
  for (patience wait; !edge.test(); wait.pause()) {
  }
  CHECK(edge.arriving().not_arrived().empty());
  CHECK(received == sent);
}

} // namespace

TEST_CASE("partitions arrive once their bytes are marked, and not before") {
  auto const self = Communicator::dup(MPI_COMM_SELF);
  for (kind const& tried : kinds(self))
    for (unsigned seed = 1; seed <= 8; ++seed) {
      INFO(tried.name << ", seed " << seed);
      std::mt19937 random(seed);
      std::vector<int> sent(720), received(720);
      std::vector const divisors{1, 2, 3, 5, 8, 9, 72};
      auto const edge = tried.make(in_partitions(sent, divisors[random() % divisors.size()]),
                                   in_partitions(received, divisors[random() % divisors.size()]));
      CHECK(edge.leaving().num_leaving() == edge.from.partitions);
      CHECK(edge.arriving().num_arriving() == edge.into.partitions);
      for (int epoch = 0; epoch < 4; ++epoch)
        run_epoch(edge, sent, received, epoch, random);
    }
}

TEST_CASE("a copy of a process to itself arrives partition by partition, without any progress") {
  std::vector<int> sent(12), received(12);
  auto const edge = make_own_edge(in_partitions(sent, 4), in_partitions(received, 3));
  edge->start();
  edge->ready(1, 2); // elements 3 to 5
  CHECK_FALSE(edge->has_arrived(0));
  edge->ready(0, 1); // elements 0 to 2
  CHECK(edge->has_arrived(0));
  CHECK_FALSE(edge->has_arrived(1));
  edge->ready(2, 4);
  CHECK(edge->has_arrived(1));
  CHECK(edge->has_arrived(2));
  CHECK(edge->test());
}

TEST_CASE("a part without partitions lacks none") {
  struct token final : part {
    void start() override {}
    bool test() override { return true; }
  } tested;
  CHECK(tested.num_leaving() == 0);
  CHECK(tested.num_arriving() == 0);
  CHECK(tested.ready(0, 0) == -1);
  CHECK(tested.have_met());
  CHECK(tested.prepare());
  CHECK(tested.not_ready().empty());
  CHECK(tested.not_arrived().empty());
}
