// Functions that are stored in place behave like std::function, with captures of any
// size, and take memory only for those that do not fit.
#include <seam/exchange/ground/detail/local_function.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>

using int_function = seam::detail::local_function<int(int)>;

namespace {

/// Adds the first number of a capture of many.
template <std::size_t Size>
int_function adder(int number) {
  std::array<int, Size> numbers{number};
  return [numbers](int more) { return numbers[0] + more; };
}

} // namespace

TEST_CASE("an empty function says so, and so does one that has been emptied") {
  int_function nothing, none = nullptr;
  CHECK_FALSE(nothing);
  CHECK_FALSE(none);
  int_function something = adder<1>(3);
  CHECK(something);
  something = nullptr;
  CHECK_FALSE(something);
  CHECK_FALSE(int_function(nothing));
}

TEST_CASE("copies and moved functions call the same, whatever is captured") {
  auto const shared = std::make_shared<int>(40);
  for (int_function const& original :
       {adder<1>(40), adder<20>(40), adder<1000>(40),
        int_function([shared](int n) { return *shared + n; }),
        int_function([text = std::string(40, 'x')](int n) { return int(text.size()) + n; })}) {
    CHECK(original(2) == 42);
    int_function copy = original;
    CHECK(copy(2) == 42);
    int_function moved = std::move(copy);
    CHECK(moved(2) == 42);
    copy = original;
    CHECK(copy(3) == 43);
    moved = adder<1>(1);
    CHECK(moved(1) == 2);
  }
  CHECK(shared.use_count() == 1);
}

TEST_CASE("captured objects live as long as their functions") {
  auto const held = std::make_shared<int>(1);
  {
    int_function const one = [held](int n) { return *held + n; };
    int_function const other = one;
    CHECK(held.use_count() == 3);
  }
  CHECK(held.use_count() == 1);
  int_function one = [held](int n) { return *held + n; };
  CHECK(std::exchange(one, nullptr)(1) == 2);
  CHECK(held.use_count() == 1);
}

TEST_CASE("larger captures take no memory where the type says so") {
  std::array<int, 50> const numbers{2};
  long const before = seam::testing::num_allocations;
  seam::detail::local_function<int(int), sizeof numbers> const one = [numbers](int more) {
    return numbers[0] + more;
  };
  auto const other = one;
  int const sum = other(1);
  CHECK(seam::testing::num_allocations == before);
  CHECK(sum == 3);
  int_function const small = [numbers](int more) { return numbers[0] + more; };
  CHECK(seam::testing::num_allocations > before);
  CHECK(small(2) == 4);
}

TEST_CASE("small captures take no memory") {
  std::array<int, 20> const numbers{1};
  long const before = seam::testing::num_allocations;
  int_function one = [numbers](int more) { return numbers[0] + more; };
  int_function const other = one;
  one = other;
  int const sum = one(1);
  CHECK(seam::testing::num_allocations == before);
  CHECK(sum == 2);
}
