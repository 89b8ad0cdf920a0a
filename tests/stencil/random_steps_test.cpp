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
#include <support/step_problem_maker.hpp>
#include <support/step_subject.hpp>
#include <support/world.hpp>

#include "random_steps_hashes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
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
  for (int number = 0; number < number_in_environment("SEAM_STEPS_CASES", 300); ++number)
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

namespace {

/// What a drawn program has, and in what its runs do something.
struct drawn_feature {
  char const* name;
  bool (*is_in)(step_problem const& what);
};

template <class Has>
bool any_kernel(step_problem const& what, Has const& has) {
  return std::ranges::any_of(what.kernels, has);
}

constexpr drawn_feature drawn_features[] = {
    {"phase",
     [](step_problem const& what) {
       return any_kernel(what, [&](problem_kernel const& kernel) {
         return kernel.phase > 0 &&
                std::ranges::any_of(what.runs, [&](int run) { return run > kernel.phase; });
       });
     }},
    {"located",
     [](step_problem const& what) {
       return any_kernel(what, [](problem_kernel const& kernel) { return kernel.is_located; });
     }},
    {"until", [](step_problem const& what) { return what.until >= 0 && what.check_every > 1; }},
    {"lent",
     [](step_problem const& what) {
       return std::ranges::any_of(what.fields, &problem_field::is_lent);
     }},
    {"profiled", [](step_problem const& what) { return what.is_profiled; }},
    {"far border",
     [](step_problem const& what) {
       return std::ranges::any_of(what.fields, [&](problem_field const& field) {
         for (int a = 0; a < std::ssize(what.axes); ++a)
           for (border_condition const& condition : field.borders[a])
             if (!what.axes[a].is_periodic && condition.sees >= 0)
               return true;
         return false;
       });
     }},
    {"fused", [](step_problem const& what) { return what.fused > 1; }},
    {"measured", [](step_problem const& what) { return what.fused == 0; }},
    {"ranks", [](step_problem const& what) { return what.ranks > 1; }},
    {"mask", [](step_problem const& what) { return !what.masks.empty(); }},
    {"second program",
     [](step_problem const& what) { return what.first_program < std::ssize(what.kernels); }},
    {"by hand", [](step_problem const& what) { return what.is_changed_by_hand; }},
    {"time", [](step_problem const& what) { return what.time >= 0; }},
    {"order",
     [](step_problem const& what) {
       return any_kernel(what, [](problem_kernel const& kernel) { return kernel.order_axis >= 0; });
     }},
    {"adds",
     [](step_problem const& what) {
       return any_kernel(what, [](problem_kernel const& kernel) {
         return kernel.kind == kernel_kind::adds;
       });
     }},
    {"swap",
     [](step_problem const& what) {
       return any_kernel(what, [](problem_kernel const& kernel) {
         return kernel.kind == kernel_kind::swaps;
       });
     }},
    {"by place",
     [](step_problem const& what) {
       return any_kernel(what, [](problem_kernel const& kernel) { return kernel.is_by_place; });
     }},
    {"own borders",
     [](step_problem const& what) {
       return any_kernel(what, [](problem_kernel const& kernel) { return kernel.bordered >= 0; });
     }},
};

} // namespace

TEST_CASE("what has been added to steps last is drawn with each other feature") {
  constexpr int num_new = 6, num_programs = 3000, least = 5;
  std::vector<std::vector<int>> counts(num_new, std::vector<int>(std::size(drawn_features)));
  for (int n = 0; n < num_programs; ++n) {
    auto const what = make_step_problem({1, n, 6});
    for (int a = 0; a < num_new; ++a)
      for (int b = 0; b < std::ssize(counts[a]); ++b)
        counts[a][b] += drawn_features[a].is_in(what) && drawn_features[b].is_in(what) ? 1 : 0;
  }
  for (int a = 0; a < num_new; ++a)
    for (int b = 0; b < std::ssize(counts[a]); ++b) {
      INFO(drawn_features[a].name << " with " << drawn_features[b].name);
      bool const excludes = std::string_view(drawn_features[a].name) == "lent" &&
                            (std::string_view(drawn_features[b].name) == "fused" ||
                             std::string_view(drawn_features[b].name) == "measured");
      CHECK((excludes || counts[a][b] >= least));
    }
}

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
