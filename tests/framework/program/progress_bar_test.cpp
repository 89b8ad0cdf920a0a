#include <support/catch.hpp>

#include <seam/framework/program/progress_bar.hpp>

#include <cstdint>

using seam::detail::progress_in_words;

TEST_CASE("progress says how much is done, how fast, and how long the rest takes") {
  CHECK(progress_in_words("sweeps", 512, 2048, 4.0) ==
        "sweeps 512/2048 25% [#####...............] 128/s 0:12 left");
  CHECK(progress_in_words("sweeps", 2048, 2048, 4.0) ==
        "sweeps 2048/2048 100% [####################] 512/s 0:00 left");
  CHECK(progress_in_words("sweeps", 1, 7201, 1.0) ==
        "sweeps 1/7201 0% [....................] 1/s 2:00:00 left");
}

TEST_CASE("progress without a known end says how much is done, how fast, and since when") {
  CHECK(progress_in_words("sweeps", 1500000, 0, 100.0) == "sweeps 1500000 15k/s 1:40");
}

TEST_CASE("progress beyond the end and before the first step stays sensible") {
  CHECK(progress_in_words("sweeps", 12, 10, 1.0) ==
        "sweeps 12/10 100% [####################] 12/s 0:00 left");
  CHECK(progress_in_words("sweeps", 0, 10, 0.0) ==
        "sweeps 0/10 0% [....................] 0/s ? left");
  CHECK(progress_in_words("sweeps", std::int64_t(5e18), std::int64_t(9e18), 1e-3).find("55%") !=
        std::string::npos);
}
