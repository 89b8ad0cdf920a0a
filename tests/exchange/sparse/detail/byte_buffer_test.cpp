// A byte buffer holds what has been added to it, as a vector does, and keeps its memory.
#include <seam/exchange/sparse/detail/byte_buffer.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

using namespace seam::detail;

namespace {

std::vector<std::byte> random_bytes(std::size_t count, std::mt19937& random) {
  std::vector<std::byte> bytes(count);
  std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
  return bytes;
}

} // namespace

TEST_CASE("bytes that are added in any pieces lie one behind the other") {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    byte_buffer tested;
    std::vector<std::byte> expected;
    for (int piece = 0; piece < 40; ++piece) {
      auto const bytes = random_bytes(random() % 100, random);
      if (random() % 2 == 0)
        tested.append(bytes);
      else
        std::ranges::copy(bytes, tested.extend(std::ssize(bytes)).begin());
      expected.insert(expected.end(), bytes.begin(), bytes.end());
      CHECK(tested.size() == std::ssize(expected));
      CHECK(std::ranges::equal(tested.bytes(), expected));
      CHECK(tested.capacity() >= tested.size());
    }
  }
}

TEST_CASE("a cleared buffer is empty, and needs no new memory for as many bytes") {
  std::mt19937 random(7);
  byte_buffer tested;
  tested.append(random_bytes(1000, random));
  auto const* const memory = tested.data();
  auto const capacity = tested.capacity();
  tested.clear();
  CHECK(tested.size() == 0);
  CHECK(tested.bytes().empty());
  auto const second = random_bytes(1000, random);
  tested.append(second);
  CHECK(tested.data() == memory);
  CHECK(tested.capacity() == capacity);
  CHECK(std::ranges::equal(tested.bytes(), second));
}

TEST_CASE("a buffer that grows byte by byte allocates as often as the logarithm of its size says") {
  byte_buffer tested;
  std::set<std::int64_t> capacities;
  for (int count = 0; count < 100'000; ++count) {
    tested.extend(1);
    capacities.insert(tested.capacity());
  }
  CHECK(capacities.size() <= 30); // log(100,000) / log(1.5) = 28.4
}

TEST_CASE("nothing can be added to a buffer without memory") {
  byte_buffer tested;
  tested.append({});
  CHECK(tested.extend(0).empty());
  CHECK(tested.size() == 0);
}
