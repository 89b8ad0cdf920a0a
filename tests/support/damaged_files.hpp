/// Reading of damaged files: whatever they hold, it ends with a result or with one line on all
/// ranks, and takes no memory that the file does not account for.
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>
#include <support/memory_in_use.hpp>
#include <support/mutations.hpp>
#include <support/time_limit.hpp>
#include <support/world.hpp>

#include <filesystem>
#include <string>

namespace seam::testing {

/// The error line with which reading ends; empty if it succeeds.
template <class Read>
std::string outcome_of(Read const& read) {
  try {
    read();
    return "";
  } catch (usage_error const& problem) {
    CHECK(problem.on_all_ranks());
    return problem.what();
  }
}

/// Makes damaged files and reads them, for some seconds.
/// @param damage         damage(seed) makes the file; called by rank 0
/// @param read           read(), by all ranks
/// @param bytes_for_byte memory that may be taken for each byte of the file, and a MiB more
/// Collective: over all ranks.
template <class Damage, class Read>
void read_damaged(std::string const& path, Damage const& damage, Read const& read,
                  std::int64_t bytes_for_byte) {
  Communicator const all = world();
  time_limit const limit(4);
  for (std::uint64_t seed = 0; !limit.is_over(all); ++seed) {
    INFO("seed " << seed);
    if (all.rank() == 0)
      damage(seed);
    mpi::barrier(all);
    auto const bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
    memory_in_use const memory;
    std::string const line = outcome_of(read);
    require_same(all, "outcome", line);
    REQUIRE(memory.peak() <= bytes_for_byte * bytes + (1 << 20));
  }
}

} // namespace seam::testing
