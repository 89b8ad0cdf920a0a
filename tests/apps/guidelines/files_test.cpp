// Files of experiments and of results: what cannot be is an error that names file, line and column.
#include "experiments/input_file.hpp"
#include "experiments/results_file.hpp"

#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>

#include <functional>
#include <random>

using namespace guidelines;

namespace {

std::string const names = "setup,datatype,bytes,partitions,repetitions,work,topology,constructor,"
                          "dimensions,finite,radius,ordering,seed,reorder";
std::string const moore =
    "Neighbor_alltoall,MPI_BYTE,256,-,2,0,Moore,Dist_graph_create,2,1,1,RAND,7,0";
std::string const full =
    "Ialltoall,MPI_INT,8,-,2,50,Full,Dist_graph_create_adjacent,-,-,-,LINEAR,-,1";

std::string error_of(std::function<void()> const& act) {
  try {
    act();
  } catch (seam::usage_error const& problem) {
    return problem.what();
  }
  return "";
}

std::string input_error(std::string const& text, int num_processes = 6) {
  return error_of([&] { parse_input(text, "in.csv", num_processes); });
}

/// A line of experiments with one field replaced.
std::string with(std::string line, column which, std::string const& value) {
  std::size_t begin = 0;
  for (int k = 0; k < which; ++k)
    begin = line.find(',', begin) + 1;
  auto const end = std::min(line.find(',', begin), line.size());
  return line.replace(begin, end - begin, value);
}

std::string const head = "# seam-guidelines: 1\n# machine: a\n# library: b\n# build: c\n"
                         "# settings: d\n# experiments: 2 0123\n";
std::string result_text(std::string const& first, std::string const& second,
                        std::string const& end = "# end: 2\n") {
  return head + names + ",status,seconds\n" + first + second + end;
}
std::string const good_1 = moore + ",ok,1e-6 2e-6\n", good_2 = full + ",WRONG,\n";

/// The experiments of the results above, in the order of their input.
std::vector<levels> expected() {
  return parse_input(names + "\n" + moore + "\n" + full + "\n", "in.csv", 6);
}

begun_results begun(std::string const& text) {
  return find_begun_results(text, "r.csv", expected(), head + names + ",status,seconds\n");
}

} // namespace

TEST_CASE("experiments are read as they are written") {
  auto const read = parse_input(names + "\n" + moore + "\n\n# more\n" + full + "\n", "in.csv", 6);
  REQUIRE(read.size() == 2);
  CHECK(line_of(read[0]) == moore);
  auto const what = experiment_of(read[1]);
  CHECK(what.call->name == "Ialltoall");
  CHECK(what.work == 50);
  CHECK(what.reorder);
  CHECK(what.order == ordering::linear);
}

TEST_CASE("experiments that cannot be are errors with their places") {
  std::string const top = names + "\n";
  CHECK(input_error(top + moore + "\n") == "");
  CHECK(input_error("").find("in.csv:1:1: the file ends (expected the columns setup,") == 0);
  CHECK(input_error(top).find("in.csv:2:1: the file ends (expected experiments)") == 0);
  CHECK(input_error("setup,bytes\n")
            .find("in.csv:1:1: 'setup,bytes' (expected the columns setup,datatype,") == 0);
  CHECK(input_error(top + "Alltoall,MPI_BYTE\n")
            .find("in.csv:2:18: the line has 2 fields (expected 14)") == 0);
  CHECK(input_error(top + moore + ",1\n").find("the line has 15 fields") != std::string::npos);
  CHECK(input_error(top + moore + "\n" + moore + "\n")
            .find("in.csv:3:1: the experiment of line 2 stands here again") == 0);

  struct mistake {
    column which;
    std::string value, expected;
  };
  for (auto const& [which, value, expected] : std::vector<mistake>{
           {setup_column, "Alltoal", "a setup such as"},
           {setup_column, "", "a setup such as"},
           {datatype_column, "MPI_LONG", "one of MPI_BYTE"},
           {bytes_column, "-1", "a number from 0"},
           {bytes_column, "4k", "a number from 0"},
           {bytes_column, "99999999999", "a number from 0"},
           {partitions_column, "2", "-, as this setup has no partitions"},
           {repetitions_column, "0", "a number from 1"},
           {work_column, "-", "a number from 0"},
           {work_column, "9223372036854775808", "a number from 0"},
           {topology_column, "Torus", "one of Cartesian"},
           {topology_column, "Complete", "a topology with edges"},
           {topology_column, "Cartesian", "Cart_create"},
           {topology_column, "Full", "-, as this topology has no grid"},
           {topology_column, "FullSelf", "-, as this topology has no grid"},
           {constructor_column, "Cart_create", "one of Dist_graph_create, Dist"},
           {dimensions_column, "3", "at most 2, the number of prime factors of 6 processes"},
           {dimensions_column, "0", "a number from 1"},
           {finite_column, "3", "a number from 0 to 2"},
           {radius_column, "0", "a number from 1"},
           {radius_column, "-", "a number from 1"},
           {ordering_column, "LINEAR", "one of FMAJ, LMAJ, RAND"},
           {ordering_column, "FMAJ", "-, as this ordering has no seed"},
           {seed_column, "-", "a number from 0"},
           {reorder_column, "yes", "one of 0, 1"}}) {
    auto const line = with(moore, which, value);
    auto const error = input_error(top + moore + "\n" + line + "\n");
    INFO(line);
    INFO(error);
    CHECK(error.find("in.csv:3:") == 0);
    CHECK(error.find("(expected " + expected) != std::string::npos);
  }
  CHECK(input_error(top + with(full, bytes_column, "9")).find("a multiple of 4") !=
        std::string::npos);
  auto const parts = with(with(with(full, setup_column, "Seam_Palltoall_init"), work_column, "0"),
                          partitions_column, "2");
  CHECK(input_error(top + parts) == "");
  CHECK(input_error(top + with(parts, partitions_column, "3")).find("divides the 2 elements") !=
        std::string::npos);
  CHECK(input_error(top + with(parts, partitions_column, "-")).find("a number from 1") !=
        std::string::npos);
}

TEST_CASE("results are written as they are continued") {
  std::string text = results_head(
      {{"machine", "a"}, {"library", "b"}, {"build", "c"}, {"settings", "d"}, {"more", "e"}});
  text += line_of({.experiment = expected()[0], .seconds = {1e-6, 2.5e-6}});
  CHECK(text.ends_with(moore + ",ok,1.00000e-06 2.50000e-06\n"));
  text += line_of({.experiment = expected()[1], .outcome = status::wrong});
  CHECK(text.ends_with(full + ",WRONG,\n"));
  CHECK_FALSE(begun(text).is_complete);
  auto const all = begun(text + results_end(2));
  CHECK(all.is_complete);
  CHECK(all.num_experiments == 2);
  CHECK(all.bytes == text.size() + results_end(2).size());
}

TEST_CASE("results that are cut off anywhere are continued behind their last whole line") {
  std::string const text = result_text(good_1, good_2);
  std::size_t const rows = text.find(good_1);
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    std::string const cut = text.substr(0, length);
    INFO(length);
    if (length < rows) {
      CHECK(error_of([&] { begun(cut); }).find("r.csv:") == 0);
      continue;
    }
    auto const found = begun(cut);
    CHECK_FALSE(found.is_complete);
    CHECK(found.num_experiments == (length < rows + good_1.size()                   ? 0
                                    : length < rows + good_1.size() + good_2.size() ? 1
                                                                                    : 2));
    CHECK(found.bytes == cut.rfind('\n') + 1);
  }
}

TEST_CASE("results of another measurement are not continued") {
  auto const error = [](std::string const& text) { return error_of([&] { begun(text); }); };
  CHECK(error(result_text(good_1, good_2)) == "");
  CHECK(error(result_text(good_2, good_1)).find("r.csv:8:1: the experiment is another one") == 0);
  CHECK(error(result_text(good_1, good_2 + good_2)).find("r.csv:10:1: the experiment") == 0);
  std::string other = result_text(good_1, good_2);
  other.replace(other.find("build: c"), 8, "build: x");
  CHECK(error(other) == "r.csv:4:10: 'x' (expected build 'c' as in this run)");
  other.erase(other.find("# build"), 11);
  CHECK(error(other).find("r.csv:1:1: the head has no entry '# build: ...'") == 0);
}

TEST_CASE("fingerprints are those of sets") {
  auto const read = parse_input(names + "\n" + moore + "\n" + full + "\n", "in.csv", 6);
  CHECK(fingerprint(read) == fingerprint({read[1], read[0]}));
  CHECK(fingerprint(read) != fingerprint({read[0]}));
  auto other = read;
  other[0][bytes_column] = "257";
  CHECK(fingerprint(read) != fingerprint(other));
}
