// Random programs of steps equal, bit by bit, a serial program that knows neither ghosts nor
// messages nor second buffers: after each run all levels of all fields, and all values.
//
// SEAM_STEPS_CASES=5000 draws so many programs in all, of which each run computes those for its
// number of threads; SEAM_STEPS_SEED=n draws others, SEAM_STEPS_CASE=k computes the k-th alone.
// SEAM_STEPS_HASHES=1 compares the results of 2,000 programs on one rank with those of the day
// when random_steps_hashes.hpp was written, so that a change of both programs is found.
#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>
#include <support/environment.hpp>
#include <support/first_ranks.hpp>
#include <support/step_problem_maker.hpp>
#include <support/step_subject.hpp>
#include <support/world.hpp>

#include "random_steps_hashes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;
using seam::detail::num_loop_threads;

namespace {

struct outcome {
  std::string fault; ///< in words, or empty
  std::uint64_t hash = 0;
};

template <class T, int D>
outcome outcome_of(Communicator const& over, step_problem const& what) {
  step_subject<T, D> subject(over, what);
  std::string const fault = subject.fault();
  return {fault, subject.hash()};
}

outcome outcome_in_two_dimensions(Communicator const& over, step_problem const& what) {
  switch (what.numbers) {
  case number_type::floats: return outcome_of<float, 2>(over, what);
  case number_type::small_integers: return outcome_of<std::int16_t, 2>(over, what);
  default: return outcome_of<double, 2>(over, what);
  }
}

outcome outcome_of(Communicator const& over, step_problem const& what) {
  try {
    switch (what.axes.size()) {
    case 1: return outcome_of<double, 1>(over, what);
    case 2: return outcome_in_two_dimensions(over, what);
    default: return outcome_of<double, 3>(over, what);
    }
  } catch (usage_error const& refused) {
    return {fmt::format("refused: {}", refused.what()), 0};
  }
}

bool compares_hashes() { return number_in_environment("SEAM_STEPS_HASHES", 0) != 0; }

/// Numbers of the programs that this run computes.
std::vector<int> chosen_cases() {
  if (compares_hashes()) {
    std::vector<int> all(programs_of_hash * std::size(hashes_of_results));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  if (int const one = number_in_environment("SEAM_STEPS_CASE", -1); one >= 0)
    return {one};
  constexpr int thread_counts = 4;
  int const threads = std::min(num_loop_threads(), thread_counts);
  std::vector<int> mine;
  int const all = number_in_environment("SEAM_STEPS_CASES", SEAM_STEPS_CASES_BY_DEFAULT);
  for (int number = 0; number < all; ++number)
    if (number % thread_counts + 1 == threads)
      mine.push_back(number);
  return mine;
}

/// Compares the results of all programs with the numbers that were made of them.
/// @param hashes  [programs]; 0 on ranks that a program does not run on
void compare_hashes(std::vector<std::uint64_t> hashes) {
  MPI_Allreduce(MPI_IN_PLACE, hashes.data(), static_cast<int>(hashes.size()), MPI_UINT64_T, MPI_MAX,
                MPI_COMM_WORLD);
  std::vector<std::string> found, expected;
  for (int n = 0; n < std::ssize(hashes); n += programs_of_hash) {
    std::uint64_t all = 0;
    for (int k = n; k < n + programs_of_hash; ++k)
      all = mixed(all + hashes[k]);
    found.push_back(fmt::format("{:#018x}", all));
    expected.push_back(fmt::format("{:#018x}", hashes_of_results[n / programs_of_hash]));
  }
  CHECK(found == expected);
}

} // namespace

TEST_CASE("random programs of steps equal the serial program bit by bit") {
  auto const seed = static_cast<unsigned>(number_in_environment("SEAM_STEPS_SEED", 1));
  int const size = mpi::comm_view(MPI_COMM_WORLD).size();
  first_ranks_kept const parts;
  auto const cases = chosen_cases();
  std::vector<int> is_wrong(cases.size());
  std::vector<std::uint64_t> hashes(cases.size());
  for (int n = 0; n < std::ssize(cases); ++n) {
    auto const what = make_step_problem({seed, cases[n], size});
    if (!parts[what.ranks])
      continue;
    auto const [wrong, hash] = outcome_of(*parts[what.ranks], what);
    hashes[n] = hash;
    is_wrong[n] = wrong.empty() ? 0 : 1;
    INFO(fmt::format("SEAM_STEPS_SEED={} SEAM_STEPS_CASE={} with {} of {} ranks and {} threads: {}",
                     seed, cases[n], what.ranks, size, num_loop_threads(), in_words(what)));
    CHECK(wrong == "");
  }
  MPI_Allreduce(MPI_IN_PLACE, is_wrong.data(), static_cast<int>(is_wrong.size()), MPI_INT, MPI_MAX,
                MPI_COMM_WORLD);
  std::vector<int> wrong_cases;
  for (int n = 0; n < std::ssize(cases); ++n)
    if (is_wrong[n] != 0)
      wrong_cases.push_back(cases[n]);
  CHECK(wrong_cases == std::vector<int>{});
  if (compares_hashes())
    compare_hashes(hashes);
}
