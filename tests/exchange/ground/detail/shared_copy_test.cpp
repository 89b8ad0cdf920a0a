// Shared copies: all bytes are copied once the copying thread returns, however many threads help, and
// nothing is touched later.
#include <seam/exchange/ground/detail/shared_copy.hpp>

#include <support/catch.hpp>

#include <atomic>
#include <thread>
#include <vector>

using seam::detail::copy_helper;

namespace {

std::vector<std::byte> numbered(std::int64_t count, int first) {
  std::vector<std::byte> made(count);
  for (std::int64_t i = 0; i < count; ++i)
    made[i] = static_cast<std::byte>((i * 7 + first) % 251);
  return made;
}

// Copies of each length, one after the other, while threads look for a copy to help with.
void copy_with(int num_helpers) {
  copy_helper helper;
  std::atomic<bool> ends = false;
  std::vector<std::jthread> threads;
  for (int k = 0; k < num_helpers; ++k)
    threads.emplace_back([&] {
      while (!ends)
        helper.help();
    });
  int turn = 0;
  for (std::int64_t const length :
       {std::int64_t{0}, std::int64_t{1}, copy_helper::shortest - 1, copy_helper::shortest,
        copy_helper::shortest + 1, 8 * copy_helper::shortest + 12345})
    for (int repeat = 0; repeat < 20; ++repeat) {
      auto const from = numbered(length, ++turn);
      std::vector<std::byte> into(length + 1, std::byte{255});
      helper.copy(into.data(), from.data(), length);
      // A helper that were late would write here.
      auto const copied = into;
      into.assign(into.size(), std::byte{254});
      INFO(length << " bytes, " << num_helpers << " helpers");
      REQUIRE(std::equal(from.begin(), from.end(), copied.begin()));
      REQUIRE(copied.back() == std::byte{255});
      REQUIRE(into == std::vector<std::byte>(into.size(), std::byte{254}));
    }
  ends = true;
}

} // namespace

TEST_CASE("a copy that nobody helps with is whole") { copy_with(0); }

TEST_CASE("a copy that other threads help with is whole when it returns") {
  copy_with(1);
  copy_with(3);
}

TEST_CASE("help without a copy returns") {
  copy_helper helper;
  helper.help();
  SUCCEED();
}
