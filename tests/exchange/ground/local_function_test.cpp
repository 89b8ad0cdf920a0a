// Functions that are kept where they are declared do what std::function does, with captures of any
// size, and take memory only for those that do not fit.
#include <seam/exchange/ground/detail/local_function.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>

using function = seam::detail::local_function<int(int)>;

namespace {

/// Adds the first number of a capture of many.
template <std::size_t Size>
function adder(int number) {
  std::array<int, Size> numbers{number};
  return [numbers](int more) { return numbers[0] + more; };
}

} // namespace

TEST_CASE("an empty function says so, and so does one that has been emptied") {
  function nothing, none = nullptr;
  CHECK_FALSE(nothing);
  CHECK_FALSE(none);
  function something = adder<1>(3);
  CHECK(something);
  something = nullptr;
  CHECK_FALSE(something);
  CHECK_FALSE(function(nothing));
}

TEST_CASE("copies and what has been moved call the same, whatever is captured") {
  auto const shared = std::make_shared<int>(40);
  for (function const& original :
       {adder<1>(40), adder<20>(40), adder<1000>(40),
        function([shared](int n) { return *shared + n; }),
        function([text = std::string(40, 'x')](int n) { return int(text.size()) + n; })}) {
    CHECK(original(2) == 42);
    function copy = original;
    CHECK(copy(2) == 42);
    function moved = std::move(copy);
    CHECK(moved(2) == 42);
    copy = original;
    CHECK(copy(3) == 43);
    moved = adder<1>(1);
    CHECK(moved(1) == 2);
  }
  CHECK(shared.use_count() == 1);
}

TEST_CASE("what a function holds goes with it") {
  auto const held = std::make_shared<int>(1);
  {
    function const one = [held](int n) { return *held + n; };
    function const other = one;
    CHECK(held.use_count() == 3);
  }
  CHECK(held.use_count() == 1);
  function one = [held](int n) { return *held + n; };
  CHECK(std::exchange(one, nullptr)(1) == 2);
  CHECK(held.use_count() == 1);
}

TEST_CASE("small captures take no memory") {
  std::array<int, 20> const numbers{1};
  long const before = seam::testing::num_allocations;
  function one = [numbers](int more) { return numbers[0] + more; };
  function const other = one;
  one = other;
  int const sum = one(1);
  CHECK(seam::testing::num_allocations == before);
  CHECK(sum == 2);
}
