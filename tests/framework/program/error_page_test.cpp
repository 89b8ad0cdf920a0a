#include <seam/framework/program/error_page.hpp>

#include <support/catch.hpp>

using seam::detail::page_of;

TEST_CASE("an error line leads to the page about its subject") {
  CHECK(page_of("steps: no kernel (expected at least one call of each())") == "docs/steps.md");
  CHECK(page_of("field 'u': component 2 of level 0") == "docs/troubleshooting.md");
  CHECK(page_of("partition: 3 parts") == "docs/meshes.md");
  CHECK(page_of("partitions: 3 parts") == "docs/partitioned.md");
  CHECK(page_of("sparse exchange: pack() after done()") == "docs/sparse.md");
}

TEST_CASE("lines about other subjects lead to no page") {
  for (char const* const line : {"", "steps", "steps ", "a mistake", "stepson: 3", "out of memory",
                                 "MPI_Isend failed: mesh: no", "grid of 3 cells"}) {
    CAPTURE(line);
    CHECK(page_of(line).empty());
  }
}
