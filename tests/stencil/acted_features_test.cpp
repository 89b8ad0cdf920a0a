// Each two features of steps have acted together in one of the random programs (random_steps_test.cpp):
// the mask left places out while steps were fused, the condition saw far while ..., not: both were drawn.
//
// SEAM_STEPS_PAIRS=9000 looks at so many programs.
#include <support/acted_features.hpp>
#include <support/catch.hpp>
#include <support/environment.hpp>
#include <support/step_problem_maker.hpp>
#include <support/step_subject.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

/// What has acted in a program that the library has run, too, and whether it has decided by measurement how
/// many steps it fuses.
template <int D>
acted_features acted_by_all(step_problem const& what) {
  step_subject<double, D> subject(testing::world(), what);
  CHECK(subject.fault() == "");
  acted_features acted = subject.acted();
  acted.note(feature::measured, subject.has_measured());
  return acted;
}

/// True for programs that the library has to run.
bool is_for_all_ranks(step_problem const& what, int size) {
  return what.fused == 0 && what.ranks == size;
}

/// What has acted in the runs of a program.
acted_features acted_in(step_problem what, int size) {
  what.numbers = number_type::doubles;
  if (is_for_all_ranks(what, size))
    switch (what.axes.size()) {
    case 1: return acted_by_all<1>(what);
    case 2: return acted_by_all<2>(what);
    default: return acted_by_all<3>(what);
    }
  serial_steps<double> serial(what);
  for (int const steps : what.runs)
    serial.run(steps);
  return serial.acted();
}

/// Features that never act in one program, and why.
struct never_together {
  feature one, other;
  char const* why;
};
constexpr never_together exclusions[] = {
    {feature::lent, feature::fused, "the ghosts of a view do not grow"},
    {feature::lent, feature::measured, "the ghosts of a view do not grow"},
    {feature::fused, feature::measured, "either one number is given, or some are tried"},
    {feature::until, feature::measured, "runs end before so many steps have been measured"},
};

bool is_excluded(int one, int other) {
  return std::ranges::any_of(exclusions, [&](never_together const& pair) {
    auto const a = static_cast<int>(pair.one), b = static_cast<int>(pair.other);
    return (one == a && other == b) || (one == b && other == a);
  });
}

} // namespace

TEST_CASE("each two features of steps have acted in one random program") {
  constexpr int num_features = std::ssize(feature_names);
  std::vector<int> counts(num_features * num_features);
  auto const world = testing::world();
  for (int n = 0; n < number_in_environment("SEAM_STEPS_PAIRS", 4000); ++n) {
    auto const what = make_step_problem({1, n, world.size()});
    bool const is_mine = n % world.size() == world.rank();
    if (!is_mine && !is_for_all_ranks(what, world.size()))
      continue;
    auto const acted = acted_in(what, world.size());
    for (int a = 0; a < num_features && is_mine; ++a)
      for (int b = 0; b < num_features; ++b)
        counts[a * num_features + b] += acted.has(a) && acted.has(b) ? 1 : 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()), MPI_INT, MPI_SUM,
                world.context().native());
  std::vector<std::string> never;
  for (int a = 0; a < num_features; ++a)
    for (int b = 0; b <= a; ++b)
      if (counts[a * num_features + b] == 0 && !is_excluded(a, b))
        never.push_back(fmt::format("{} with {}", feature_names[a], feature_names[b]));
  CHECK(never == std::vector<std::string>{});
}
