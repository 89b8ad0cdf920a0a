// The transport of endpoints brings each message to its step, whichever processes its ends are in.
#include <support/catch.hpp>
#include <support/on_endpoints.hpp>

#include <seam/exchange/engine/engine.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/transport/endpoint/endpoint_transport.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// Two messages to each endpoint, the caller included, whose second is of another length.
struct messages_of_all {
  messages_of_all(mpi::context const& all, int more_expected)
      : rank(all.rank()), size(all.size()), out(std::size_t(2 * size)), in(out.size()) {
    for (int k = 0; k < 2 * size; ++k) {
      out[std::size_t(k)].resize(length_of(k));
      in[std::size_t(k)].resize(length_of(k) + std::size_t(more_expected));
      steps.sends.push_back({0, k / 2, {}, {}, wire_of(out[std::size_t(k)])});
      steps.receives.push_back({0, k / 2, {}, wire_of(in[std::size_t(k)])});
    }
  }

  static std::size_t length_of(int k) { return k % 2 == 0 ? 1 : 2000; }

  static wire_span wire_of(std::vector<std::int64_t>& values) {
    return {.offset = 0,
            .bytes = std::ssize(values) * 8,
            .direct = reinterpret_cast<std::byte*>(values.data())};
  }

  /// The value of message `which` in `epoch`.
  static std::int64_t value(int from, int to, int which, int epoch) {
    return ((1000LL * from + to) * 2 + which) * 100 + epoch;
  }

  void fill(int epoch) {
    for (int k = 0; k < 2 * size; ++k)
      out[std::size_t(k)].assign(length_of(k), value(rank, k / 2, k % 2, epoch));
  }

  void check(int epoch) const {
    for (int k = 0; k < 2 * size; ++k)
      EXPECT(in[std::size_t(k)] == std::vector(length_of(k), value(k / 2, rank, k % 2, epoch)));
  }

  transport_maker carried_by(mpi::context& all, tags_of_steps tags) {
    return [&all, tags, tag = 0](schedule const& some, std::byte* staging) {
      return make_endpoint_transport(
          all, [tag]() mutable { return 10 * (tag++ % 3); }, tags, some, staging);
    };
  }

  int rank, size;
  std::vector<std::vector<std::int64_t>> out, in;
  schedule steps;
};

} // namespace

TEST_CASE("messages between endpoints reach their steps, epoch after epoch") {
  for (std::vector<int> const& counts : std::vector<std::vector<int>>{{1}, {3}, {2, 3, 1}})
    on_endpoints(counts, [&](Communicator& over) {
      mpi::context& all = *mpi::context_of(over.view());
      messages_of_all messages(all, 0);
      engine exchange(messages.steps, messages.carried_by(all, {}));
      for (int epoch = 0; epoch < 10; ++epoch) {
        messages.fill(epoch);
        exchange.start();
        exchange.wait();
        messages.check(epoch);
      }
    });
}

TEST_CASE("tags of steps tell messages between two endpoints apart, in any order") {
  on_endpoints({2, 3, 1}, [&](Communicator& over) {
    mpi::context& all = *mpi::context_of(over.view());
    messages_of_all messages(all, 0);
    tags_of_steps tags;
    for (int k = 0; k < 2 * messages.size; ++k) {
      tags.sends.push_back(k % 2);
      tags.receives.push_back(k % 2);
    }
    // The receives of each pair in the other order than the sends.
    for (int k = 0; k < 2 * messages.size; k += 2) {
      std::swap(messages.steps.receives[std::size_t(k)],
                messages.steps.receives[std::size_t(k + 1)]);
      std::swap(tags.receives[std::size_t(k)], tags.receives[std::size_t(k + 1)]);
    }
    engine exchange(messages.steps, messages.carried_by(all, tags));
    for (int epoch = 0; epoch < 5; ++epoch) {
      messages.fill(epoch);
      exchange.start();
      exchange.wait();
      messages.check(epoch);
    }
  });
}

TEST_CASE("a message that is shorter than its step expects is an error that says both lengths") {
  on_endpoints({1}, [&](Communicator& over) {
    Communicator const own = *over.split(over.rank(), 0);
    mpi::context& self = *mpi::context_of(own.view());
    messages_of_all messages(self, 1);
    messages.fill(0);
    std::string line;
    try {
      engine exchange(messages.steps, messages.carried_by(self, {}));
      exchange.start();
      exchange.wait();
    } catch (usage_error const& problem) {
      line = problem.what();
    }
    EXPECT(line.find("sends a message of 8 bytes to rank 0, which expects 16 there") !=
           std::string::npos);
  });
}
