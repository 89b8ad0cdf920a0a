// Messages in flight between endpoints of one process take memory once, whichever comes first, the
// messages or their receives.
#include <support/allocation_counter.hpp>
#include <support/catch.hpp>

#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace seam::testing {
namespace {

constexpr int num_messages = 64;

using flying = std::array<std::optional<in_flight>, num_messages>;

/// Messages of `length` numbers each from one endpoint to another, all in flight at a time.
class many_messages {
public:
  explicit many_messages(int length)
      : length_(length), sent_(num_messages * length), received_(sent_.size()) {
    std::iota(sent_.begin(), sent_.end(), 0);
  }

  void send() {
    for (int k = 0; k < num_messages; ++k)
      sends_[k].emplace(start_send(ends_[0], std::span(sent_).subspan(k * length_, length_), 1));
  }

  void receive() {
    for (int k = 0; k < num_messages; ++k)
      receives_[k].emplace(start_receive(ends_[1],
                                         std::span(received_).subspan(k * length_, length_), 0));
  }

  /// True if all numbers have arrived.
  bool finish() {
    for (auto* const all : {&receives_, &sends_})
      for (auto& each : *all) {
        each->wait();
        each.reset();
      }
    bool const are_same = received_ == sent_;
    std::fill(received_.begin(), received_.end(), -1);
    return are_same;
  }

private:
  std::vector<Communicator> ends_ = create_endpoints(Communicator::dup(MPI_COMM_SELF), 2);
  std::size_t length_;
  std::vector<std::int64_t> sent_, received_;
  flying sends_, receives_;
};

/// How often memory is allocated in a round, after some others.
template <class Round>
long allocations_of(Round const& round) {
  for (int k = 0; k < 3; ++k)
    REQUIRE(round());
  long const before = num_allocations;
  bool const is_right = round();
  long const after = num_allocations;
  REQUIRE(is_right);
  return after - before;
}

} // namespace

TEST_CASE("messages that are started over and over allocate nothing", "[endpoints]") {
  for (int const length : {0, 1, 6, 7}) { // up to 48 bytes go by rings
    INFO(length << " numbers in each message");
    many_messages all(length);
    CHECK(allocations_of([&] {
            all.send();
            all.receive();
            return all.finish();
          }) == 0);
    CHECK(allocations_of([&] {
            all.receive();
            all.send();
            return all.finish();
          }) == 0);
  }
}

TEST_CASE("long messages whose receives wait for them allocate nothing", "[endpoints]") {
  many_messages all(1000);
  CHECK(allocations_of([&] {
          all.receive();
          all.send();
          return all.finish();
        }) == 0);
}

} // namespace seam::testing
