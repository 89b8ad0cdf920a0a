// Random programs of steps equal, bit by bit, a serial program that knows neither ghosts nor
// messages nor second buffers: after each run all levels of all fields, and all values.
//
// SEAM_STEPS_CASES=5000 draws so many programs in all, of which each run computes those for its
// number of threads; SEAM_STEPS_SEED=n draws others, SEAM_STEPS_CASE=k computes the k-th alone.
#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>
#include <support/environment.hpp>
#include <support/step_problem_maker.hpp>
#include <support/step_subject.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;
using seam::detail::num_loop_threads;

namespace {

std::string fault_in_two_dimensions(Communicator const& over, step_problem const& what) {
  switch (what.numbers) {
  case number_type::floats: return step_subject<float, 2>(over, what).fault();
  case number_type::small_integers: return step_subject<std::int16_t, 2>(over, what).fault();
  default: return step_subject<double, 2>(over, what).fault();
  }
}

std::string fault_of(Communicator const& over, step_problem const& what) {
  try {
    switch (what.axes.size()) {
    case 1: return step_subject<double, 1>(over, what).fault();
    case 2: return fault_in_two_dimensions(over, what);
    default: return step_subject<double, 3>(over, what).fault();
    }
  } catch (usage_error const& refused) {
    return fmt::format("refused: {}", refused.what());
  }
}

/// The communicator of the first few ranks, made when it is first used; nothing on the others.
class first_ranks_kept {
public:
  first_ranks_kept() {
    for (int ranks = 1; ranks <= mpi::comm_view(MPI_COMM_WORLD).size(); ++ranks) {
      auto const part = first_ranks(ranks);
      all_.emplace_back();
      if (part.is_open())
        all_.back() = Communicator::dup(part);
    }
  }
  std::optional<Communicator> const& operator[](int ranks) const { return all_[ranks - 1]; }

private:
  std::vector<std::optional<Communicator>> all_;
};

/// Numbers of the programs that this run computes.
std::vector<int> chosen_cases() {
  if (int const one = number_in_environment("SEAM_STEPS_CASE", -1); one >= 0)
    return {one};
  constexpr int thread_counts = 4;
  int const threads = std::min(num_loop_threads(), thread_counts);
  std::vector<int> mine;
  for (int number = 0; number < number_in_environment("SEAM_STEPS_CASES", 300); ++number)
    if (number % thread_counts + 1 == threads)
      mine.push_back(number);
  return mine;
}

} // namespace

TEST_CASE("random programs of steps equal the serial program bit by bit") {
  auto const seed = static_cast<unsigned>(number_in_environment("SEAM_STEPS_SEED", 1));
  int const size = mpi::comm_view(MPI_COMM_WORLD).size();
  first_ranks_kept const parts;
  auto const cases = chosen_cases();
  std::vector<int> is_wrong(cases.size());
  for (int n = 0; n < std::ssize(cases); ++n) {
    auto const what = make_step_problem({seed, cases[n], size});
    if (!parts[what.ranks])
      continue;
    std::string const wrong = fault_of(*parts[what.ranks], what);
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
}
