// Mutants of plans on meshes: programs are carried out by a player that has its own messages, and once more
// for each copy, message and link of their graphs without it. Each of them is found: results differ, or
// tasks of an exchange run out of their order. So none is missing, and none is superfluous.
//
// SEAM_PLAN_MUTANTS=1 tries all copies and links, else each third one.
#include <support/catch.hpp>
#include <support/environment.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>
#include <mesh/steps/plan_player.hpp>

#include <cstring>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

/// True if any rank's values have other bits.
bool differ(Communicator const& over, std::vector<double> const& a, std::vector<double> const& b) {
  int own = std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0 ? 0 : 1, any = 0;
  MPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, over.context().native());
  return any != 0;
}

} // namespace

TEST_CASE("each copy, message and link of a plan on a mesh is needed, and no other is") {
  auto const over = world();
  bool const has_colors = GENERATE(false, true);
  Mesh const mesh =
      scattered(Mesh(over, box_mesh(over, shape::triangle, {3, 3, 1})), has_colors ? 4 : 7);
  stirring_program program(mesh, has_colors);
  plan_player player(program);
  auto const right = player.play({});
  CHECK(player.faults == 0);
  std::vector<std::string> missed;
  int num_found = 0, num_without_effect = 0, number = has_colors ? 1 : 0;
  int const each = number_in_environment("SEAM_PLAN_MUTANTS", 3);
  for (mutant const& without : player.mutants()) {
    if (without.what != mutant::message && ++number % each != 0)
      continue;
    if (without.what == mutant::link && player.is_implied(without)) {
      ++num_without_effect;
      continue;
    }
    auto const wrong = player.play(without);
    int faults = player.faults;
    MPI_Allreduce(MPI_IN_PLACE, &faults, 1, MPI_INT, MPI_SUM, over.context().native());
    if (differ(over, wrong, right) || faults > 0)
      ++num_found;
    else
      missed.push_back(player.in_words(without));
  }
  CAPTURE(num_found, num_without_effect);
  CHECK(missed == std::vector<std::string>{});
  CHECK(num_found > 0);

  for (auto const& field : program.fields())
    for (local_id e = 0; e < field.entities().num_owned; ++e)
      field(e) = first_value(field.entities().ids[e]);
  program.step.run(num_played_steps);
  std::vector<double> run;
  for (auto const& declared : program.step.machine().program().fields)
    for (auto const& field : program.fields())
      if (field.name() == declared->name)
        run.insert(run.end(), field.values().begin(),
                   field.values().begin() + field.entities().num_owned);
  CHECK_FALSE(differ(over, run, right));
}
