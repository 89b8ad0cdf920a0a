// Recycled memory: objects that are made and ended over and over take memory once, also where another
// thread ends them.
#include <seam/exchange/ground/recycled.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

using namespace seam;
using namespace seam::detail;
using seam::testing::num_allocations;

namespace {

struct object {
  explicit object(int first) { values.fill(first); }
  std::array<std::int64_t, 20> values{};
};

std::shared_ptr<object> make(int first) {
  return std::allocate_shared<object>(recycled<object>(), first);
}

template <int Count>
void make_and_end() {
  std::array<std::shared_ptr<object>, Count> made;
  for (int i = 0; i < Count; ++i)
    made[i] = make(i);
  for (int i = 0; i < Count; ++i)
    REQUIRE(made[i]->values.back() == i);
}

} // namespace

TEST_CASE("objects made again take no memory") {
  constexpr int count = 100;
  make_and_end<count>();
  long const before = num_allocations;
  for (int round = 0; round < 10; ++round)
    make_and_end<count>();
  CHECK(num_allocations - before == 0);
}

TEST_CASE("a thread keeps a limited number of pieces, and gives them back at its end") {
  std::thread([] {
    make_and_end<1000>();
    long const before = num_allocations;
    make_and_end<1000>();
    CHECK(num_allocations - before > 0);
    CHECK(num_allocations - before <= 1000);
  }).join(); // the leak check of sanitizers looks for what is left
}

TEST_CASE(
    "an object may end in another thread than it began in, and after that thread's spare memory") {
  std::vector<std::shared_ptr<object>> made;
  for (int i = 0; i < 500; ++i)
    made.push_back(make(i));
  std::thread([taken = std::move(made)]() mutable {
    thread_local std::shared_ptr<object> last; // ends after what the lines below begin
    last = taken.front();
    taken.clear();
    CHECK(last->values.front() == 0);
  }).join();
  make_and_end<100>();
}
