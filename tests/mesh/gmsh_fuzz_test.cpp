// Damaged files of Gmsh's formats: whatever they hold, reading ends with a mesh or with one line on
// all ranks, and takes no memory that the file does not account for.
#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/mesh/gmsh.hpp>

#include <mesh/msh_files.hpp>
#include <support/catch.hpp>
#include <support/memory_in_use.hpp>
#include <support/mutations.hpp>
#include <support/time_limit.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::testing;

namespace {

/// What reading ends with: the error's line, or nothing.
std::string outcome_of(Communicator const& over, std::string const& path) {
  try {
    mesh_input const mesh = read_gmsh(over, path);
    for (element_list const* list : {&mesh.cells, &mesh.boundary}) {
      CHECK(list->shapes.size() == list->ids.size());
      CHECK(list->tags.size() == list->ids.size());
      CHECK((list->ids.empty() || list->elements2vertices.back() == std::ssize(list->vertices)));
    }
    CHECK(mesh.coordinates.size() == 3 * mesh.vertex_ids.size());
    return "";
  } catch (usage_error const& problem) {
    CHECK(problem.on_all_ranks());
    return problem.what();
  }
}

} // namespace

TEST_CASE("a damaged file gives a mesh or one line") {
  Communicator const all = world();
  time_limit const limit(4);
  std::vector<std::string> whole;
  for (int const n : {1, 3})
    for (msh_kind const kind : all_msh_kinds)
      whole.push_back(msh_text(make_sample(n), kind));
  for (std::uint64_t seed = 0; !limit.is_over(all); ++seed) {
    INFO("seed " << seed);
    std::string const bytes = mutator(seed)(whole[seed % whole.size()]);
    if (all.rank() == 0)
      write_bytes("damaged.msh", bytes);
    mpi::barrier(all);
    memory_in_use const memory;
    std::string const line = outcome_of(all, "damaged.msh");
    require_same(all, "outcome", line);
    REQUIRE(memory.peak() <= 30 * std::ssize(bytes) + (1 << 20));
  }
}
