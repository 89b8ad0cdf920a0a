// Damaged files of Gmsh's formats: whatever they hold, reading ends with a mesh or with one line on
// all ranks, and takes no memory that the file does not account for.
#include <seam/mesh/input/gmsh.hpp>

#include <mesh/msh_files.hpp>
#include <support/damaged_files.hpp>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

TEST_CASE("a damaged file gives a mesh or one line") {
  std::vector<std::string> whole;
  for (int const n : {1, 3})
    for (msh_kind const kind : all_msh_kinds)
      whole.push_back(msh_text(make_sample(n), kind));
  auto const damage = [&](std::uint64_t seed) {
    write_bytes("damaged.msh", mutator(seed)(whole[seed % whole.size()]));
  };
  auto const read = [] {
    mesh_input const mesh = read_gmsh(world(), "damaged.msh");
    for (element_list const* list : {&mesh.cells, &mesh.boundary}) {
      CHECK(list->shapes.size() == list->ids.size());
      CHECK(list->tags.size() == list->ids.size());
      CHECK((list->ids.empty() || list->elements2vertices.back() == std::ssize(list->vertices)));
    }
    CHECK(mesh.coordinates.size() == 3 * mesh.vertex_ids.size());
  };
  read_damaged("damaged.msh", damage, read, 30);
}
