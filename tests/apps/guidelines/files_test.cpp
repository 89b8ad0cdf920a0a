// Files of experiments and of results: what cannot be is an error that names file, line and column.
#include "campaign/folder.hpp"
#include "experiments/input_file.hpp"
#include "experiments/results_file.hpp"

#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>

#include <filesystem>
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

std::string results_error(std::string const& text, last_row cut = last_row::must_be_whole) {
  return error_of([&] { parse_results(text, "r.csv", cut); });
}

} // namespace

TEST_CASE("experiments are read as they are written, with columns in any order") {
  auto const read = parse_input(names + "\n" + moore + "\n\n# more\n" + full + "\n", "in.csv", 6);
  REQUIRE(read.size() == 2);
  CHECK(line_of(read[0]) == moore);
  CHECK(parse_input(input_text("t", read), "in.csv", 6) == read);
  auto const what = experiment_of(read[1]);
  CHECK(what.call->name == "Ialltoall");
  CHECK(what.work == 50);
  CHECK(what.reorder);
  CHECK(what.order == ordering::linear);
  // The same with the columns from behind.
  auto const reversed = [](std::string const& line) {
    std::string turned;
    for (std::size_t end = line.size(); end != line.npos;) {
      auto const comma = end == 0 ? line.npos : line.rfind(',', end - 1);
      auto const begin = comma == line.npos ? 0 : comma + 1;
      turned += line.substr(begin, end - begin) + ',';
      end = comma;
    }
    turned.pop_back();
    return turned;
  };
  CHECK(parse_input(reversed(names) + "\n" + reversed(moore) + "\n", "in.csv", 6)[0] == read[0]);
}

TEST_CASE("experiments that cannot be are errors with their places") {
  std::string const top = names + "\n";
  CHECK(input_error(top + moore + "\n") == "");
  CHECK(input_error("").find("in.csv:1:1: the file ends (expected the columns setup,") == 0);
  CHECK(input_error(top).find("in.csv:2:1: the file ends (expected experiments)") == 0);
  CHECK(input_error("setup,size\n").find("in.csv:1:7: 'size' (expected one of the columns") == 0);
  CHECK(input_error("setup,setup\n").find("in.csv:1:7: 'setup' (expected each column once)") == 0);
  CHECK(input_error("setup,bytes\n").find("there is no column datatype") != std::string::npos);
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

TEST_CASE("results are read as they are written") {
  auto const read = parse_results(result_text(good_1, good_2), "r.csv");
  REQUIRE(read.experiments.size() == 2);
  CHECK(read.is_complete);
  CHECK(read.experiments[0].seconds == std::vector<double>{1e-6, 2e-6});
  CHECK(read.experiments[1].outcome == status::wrong);
  CHECK(read.head("library").text == "b");
  std::string text = results_head({{"machine", "a"}});
  for (result const& made : read.experiments)
    text += line_of(made);
  auto const again = parse_results(text + results_end(2), "r.csv");
  CHECK(again.experiments[0].seconds == read.experiments[0].seconds);
  CHECK(again.experiments[1].outcome == status::wrong);
}

TEST_CASE("results that are cut off anywhere are errors, and read up to there when resumed") {
  std::string const text = result_text(good_1, good_2);
  std::size_t const rows = text.find(good_1);
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    std::string const cut = text.substr(0, length);
    INFO(length);
    CHECK(results_error(cut).find("r.csv:") == 0);
    if (length >= rows) {
      auto const read = parse_results(cut, "r.csv", last_row::may_be_cut);
      CHECK_FALSE(read.is_complete);
      CHECK(read.experiments.size() == (length < rows + good_1.size()                   ? 0U
                                        : length < rows + good_1.size() + good_2.size() ? 1U
                                                                                        : 2U));
    }
  }
  CHECK(
      results_error(head + names + ",status,seconds\n" + good_1)
          .find(
              "r.csv:9:1: the file ends after 1 experiments (expected 2 and a line '# end: 2')") ==
      0);
}

TEST_CASE("damaged results are errors with their places") {
  CHECK(results_error(result_text(moore + ",fine,1 2\n", good_2))
            .find("(expected ok, WRONG or ABSENT)") != std::string::npos);
  CHECK(results_error(result_text(moore + ",ok,1e-6 fast\n", good_2))
            .find("'fast' (expected a time") != std::string::npos);
  CHECK(results_error(result_text(moore + ",ok,1e-6 -1\n", good_2)).find("'-1' (expected a time") !=
        std::string::npos);
  CHECK(results_error(result_text(moore + ",ok,1e-6\n", good_2)).find("1 times (expected 2") !=
        std::string::npos);
  CHECK(results_error(result_text(good_1, full + ",WRONG,1\n")).find("1 times (expected 0") !=
        std::string::npos);
  CHECK(results_error(result_text(good_1, good_2, "# end: 3\n")).find("the file ends after 2") !=
        std::string::npos);
  std::mt19937 random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text = result_text(good_1, good_2);
    text[random() % text.size()] = static_cast<char>(random() % 128);
    INFO("trial " << trial);
    auto const error = results_error(text); // an error, or harmless; never anything else
    CHECK((error.empty() || error.find("r.csv:") == 0));
  }
}

TEST_CASE("fingerprints are those of sets") {
  auto const read = parse_input(names + "\n" + moore + "\n" + full + "\n", "in.csv", 6);
  CHECK(fingerprint(read) == fingerprint({read[1], read[0]}));
  CHECK(fingerprint(read) != fingerprint({read[0]}));
  auto other = read;
  other[0][bytes_column] = "257";
  CHECK(fingerprint(read) != fingerprint(other));
}

namespace {

/// A campaign of two experiments in a folder, with results for seven runs.
struct measured_campaign {
  path place = std::filesystem::current_path() / "measured";
  std::string const text = "campaign c\ndeployments 1x2\nruns 7\nrepetitions 2\nminutes 1\n"
                           "experiments\nsetup Alltoall Allgather\nbytes 8\ntopology Complete\n";
  campaign_folder made;

  measured_campaign() : made(generated()) {
    for (kernel_run const& run : made.runs())
      write(run.number, result_of("Alltoall") + result_of("Allgather"), head);
  }
  ~measured_campaign() { std::filesystem::remove_all(place); }

  campaign_folder generated() const {
    std::filesystem::remove_all(place);
    return open_or_generate(place, text, "c.txt", "launch mpiexec {kernel}\n", "e.txt", "p");
  }
  static std::string result_of(std::string const& setup) {
    return setup + ",MPI_BYTE,8,-,2,0,Complete,-,-,-,-,-,-,-,ok,1e-6 2e-6\n";
  }
  path file(int run) const {
    return place / "results/1x2" / ("run-0" + std::to_string(run) + ".csv");
  }
  void write(int run, std::string const& rows, std::string const& entries,
             std::string const& end = "# end: 2\n") const {
    write_file(file(run), entries + names + ",status,seconds\n" + rows + end);
  }
  std::string error() const {
    return error_of([&] { read_results(made, made.asked.deployments[0], std::nullopt); });
  }
};

std::string replaced(std::string text, std::string const& from, std::string const& to) {
  return text.replace(text.find(from), from.size(), to);
}

} // namespace

TEST_CASE("runs of two machines, builds or sets of experiments are not compared") {
  measured_campaign const campaign;
  CHECK(campaign.error() == "");
  std::string const rows = campaign.result_of("Alltoall") + campaign.result_of("Allgather");
  for (char const* entry : {"machine: a", "library: b", "build: c", "settings: d"}) {
    campaign.write(3, rows, replaced(head, entry, std::string(entry) + "2"));
    auto const error = campaign.error();
    INFO(error);
    CHECK(error.find("run-03.csv:") != std::string::npos);
    CHECK(error.find("results of two machines or builds cannot be compared") != std::string::npos);
  }
  campaign.write(3, rows, replaced(head, "# build: c\n", ""));
  CHECK(campaign.error().find("run-03.csv:1:1: the head has no entry '# build: ...'") !=
        std::string::npos);
  campaign.write(3, campaign.result_of("Alltoall") + campaign.result_of("Ialltoall"), head);
  CHECK(campaign.error().find("run-03.csv:9:1: Ialltoall,") != std::string::npos);
  campaign.write(3, campaign.result_of("Alltoall"), head, "# end: 1\n");
  CHECK(campaign.error().find("there is no Allgather,") != std::string::npos);
  campaign.write(3, rows, head, "");
  CHECK(campaign.error().find("run-03.csv:10:1: the file ends after 2 experiments") !=
        std::string::npos);
  CHECK(std::filesystem::exists(campaign.file(3))); // partial results are kept
  CHECK_FALSE(is_done(campaign.made.runs()[2]));
  CHECK(is_done(campaign.made.runs()[3]));
  std::filesystem::remove(campaign.file(3));
  CHECK(campaign.error().find("run-03.csv': No such file") != std::string::npos);
}
