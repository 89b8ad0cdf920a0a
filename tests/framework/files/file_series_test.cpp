// The lists of numbered files, as text.
#include <support/catch.hpp>
#include <support/files.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/file_series.hpp>

#include <cmath>

using namespace seam;
using namespace seam::testing;

TEST_CASE("a list has all files until then, with their times") {
  auto const all = world();
  auto const folder = fresh_folder(all, "list");
  if (all.rank() == 0)
    put(folder / "u-0000.vtkhdf", "older");
  mpi::barrier(all);
  file_series series(all, folder / "u.vtkhdf");
  CHECK(!std::filesystem::exists(folder / "u.vtkhdf.series"));
  series.add_older(folder / "u-0000.vtkhdf", 0);
  series.add_older(folder / "u-0001.vtkhdf", 1); // which is not there
  series.add(folder / "u-0002.vtkhdf", 0.1);
  series.add(folder / "a\"b\\c\n.vtkhdf", 1e300);
  if (all.rank() == 0)
    CHECK(content_of(folder / "u.vtkhdf.series") ==
          "{\"file-series-version\":\"1.0\",\"files\":[\n"
          "{\"name\":\"u-0000.vtkhdf\",\"time\":0},\n"
          "{\"name\":\"u-0002.vtkhdf\",\"time\":0.1},\n"
          "{\"name\":\"a\\\"b\\\\c\\u000a.vtkhdf\",\"time\":1e+300}\n]}\n");
}

TEST_CASE("lists that cannot be written and times that are none are refused on all ranks") {
  auto const all = world();
  auto const folder = fresh_folder(all, "refused");
  CHECK_THROWS_WITH(file_series(all, folder / "no" / "u.vtkhdf"),
                    Catch::Contains("u.vtkhdf.series': No such file"));
  file_series series(all, folder / "u.vtkhdf");
  CHECK_THROWS_WITH(series.add("u-0000.vtkhdf", std::nan("")),
                    Catch::Contains("time nan of 'u-0000.vtkhdf' (expected a finite"));
}
