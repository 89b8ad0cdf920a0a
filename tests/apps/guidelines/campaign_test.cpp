// Campaign files and what is made of them: numbers of experiments, their orders, tests and groups.
#include "analysis/analysis.hpp"
#include "analysis/tables.hpp"
#include "campaign/campaign_file.hpp"
#include "campaign/folder.hpp"

#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

using namespace guidelines;

namespace {

path shipped(std::string const& name) { return path(SEAM_GUIDELINES_SOURCES) / name; }

campaign shipped_campaign(std::string const& name) {
  path const file = shipped("campaigns") / (name + ".txt");
  return parse_campaign(read_file(file), file.string());
}

/// Results of all experiments in which each run takes `seconds(experiment, run)`.
template <class Seconds>
samples made_up(campaign const& asked, std::string const& deployment, Seconds const& seconds) {
  std::vector<results> runs(static_cast<std::size_t>(asked.runs));
  for (int run = 0; run < asked.runs; ++run)
    for (levels const& experiment : asked.experiments)
      runs[static_cast<std::size_t>(run)].experiments.push_back(
          {.experiment = experiment, .seconds = {seconds(experiment, run)}});
  return collect(deployment, runs);
}

/// All the same, but for a little that depends on the run.
double even_times(levels const&, int run) { return 1e-5 + 1e-9 * run; }

/// The cells of the table by the names of the guidelines in words.
std::map<std::string, std::string> cells(campaign const& asked, samples const& measured) {
  std::map<std::string, std::string> found;
  for (auto const& verdicts : analyze({measured}, asked.judged_by, asked.beyond, asked.varied)) {
    verdict const& of = verdicts[0];
    found[of.of->in_words()] =
        std::to_string(of.num_violations()) + '/' + std::to_string(of.tests.size()) + " (" +
        std::to_string(of.num_violating_groups()) + '/' + std::to_string(of.num_groups()) + ')';
  }
  return found;
}

std::string const head = "campaign c\ndeployments 1x2\nruns 10\nrepetitions 5\nminutes 1\n";
std::string const list = "experiments\nsetup Alltoall\nbytes 8 16\ntopology Complete\n";

/// The line of the error that a campaign's text leads to.
std::string error_of(std::string const& text) {
  try {
    parse_campaign(text, "c.txt");
  } catch (seam::usage_error const& problem) {
    return problem.what();
  }
  return "";
}

/// A folder that ends with the test.
struct temporary_folder {
  path place = std::filesystem::current_path() / "campaign";
  temporary_folder() { std::filesystem::remove_all(place); }
  ~temporary_folder() { std::filesystem::remove_all(place); }
};

} // namespace

TEST_CASE("campaigns have as many experiments as in table 2, of 15 sizes") {
  std::map<std::string, std::size_t> const expected{{"nbhcoll-jupiter", 3360},
                                                    {"nbhcoll-vsc3", 3360},
                                                    {"full-jupiter", 180},
                                                    {"full-rand-jupiter", 30},
                                                    {"full-tuned-jupiter", 60}};
  for (auto const& [name, number] : expected) {
    INFO(name);
    auto const asked = shipped_campaign(name);
    CHECK(asked.experiments.size() == number);
    CHECK(asked.runs == (name == "nbhcoll-jupiter" ? 30 : 15));
    CHECK(asked.repetitions == 50);
    std::set<int> sizes;
    for (levels const& experiment : asked.experiments) {
      sizes.insert(std::stoi(experiment[bytes_column]));
      for (deployment const& on : asked.deployments)
        REQUIRE_FALSE(problem_with(experiment, on.num_processes()));
    }
    CHECK(sizes == std::set<int>{256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096, 5793, 8192,
                                 11585, 16384, 23170, 32768});
    std::set<std::string> deployments;
    for (deployment const& on : asked.deployments)
      deployments.insert(on.name());
    CHECK(deployments == std::set<std::string>{"10x16", "20x16", "35x16"});
  }
}

TEST_CASE("tests and groups of nbhcoll are those of table 3") {
  auto const asked = shipped_campaign("nbhcoll-vsc3");
  auto const found = cells(asked, made_up(asked, "10x16", even_times));
  std::map<std::string, std::string> const expected{
      {"Neighbor_allgather <= Neighbor_alltoall", "0/1680 (0/112)"},
      {"Cartesian Cart_create <= vonNeumann Dist_graph_create_adjacent radius=1 FMAJ",
       "0/480 (0/32)"},
      {"FMAJ <= RAND", "0/960 (0/64)"},
      {"LMAJ <= RAND", "0/960 (0/64)"},
      {"reorder=1 <= reorder=0", "0/1680 (0/112)"}};
  CHECK(found == expected);
}

TEST_CASE("tests and groups of full-jupiter are those of table 4") {
  auto const asked = shipped_campaign("full-jupiter");
  auto const found = cells(asked, made_up(asked, "35x16", even_times));
  std::map<std::string, std::string> const expected{
      {"Allgather <= Neighbor_allgather", "0/30 (0/2)"},
      {"Alltoall <= Neighbor_alltoall", "0/30 (0/2)"},
      {"Neighbor_allgather <= Neighbor_alltoall", "0/60 (0/4)"},
      {"LINEAR <= RAND", "0/60 (0/4)"},
      {"reorder=1 <= reorder=0", "0/90 (0/6)"}};
  CHECK(found == expected);
}

TEST_CASE("violations are found where they are, and nowhere else") {
  auto const asked = shipped_campaign("nbhcoll-vsc3");
  auto const slow = [](levels const& experiment, int run) {
    bool const is_slow = experiment[topology_column] == "Moore" &&
                         experiment[ordering_column] == "FMAJ" &&
                         experiment[dimensions_column] == "3" &&
                         experiment[bytes_column] != "256" && experiment[bytes_column] != "1024";
    return even_times(experiment, run) * (is_slow ? 1.05 : 1);
  };
  auto const measured = made_up(asked, "10x16", slow);
  auto const found = cells(asked, measured);
  // Two setups, two values each of finite and reorder; 13 of 15 sizes.
  CHECK(found.at("FMAJ <= RAND") == "104/960 (8/64)");
  CHECK(found.at("LMAJ <= RAND") == "0/960 (0/64)");
  CHECK(found.at("reorder=1 <= reorder=0") == "0/1680 (0/112)");

  auto const verdicts = analyze({measured}, asked.judged_by, {.p = 0.001, .v = 1.06}, bytes_column);
  for (auto const& of : verdicts)
    CHECK(of[0].num_violations() == 0);
}

TEST_CASE("violations need both thresholds") {
  auto asked = parse_campaign(head + list +
                                  "experiments\nsetup Allgather\nbytes 8 16\ntopology Complete\n"
                                  "guideline G setup=Allgather <= setup=Alltoall\n",
                              "c.txt");
  auto const times = [](double ratio, double spread) {
    return [=](levels const& experiment, int run) {
      bool const is_left = experiment[setup_column] == "Allgather";
      return (is_left ? ratio : 1.0) + spread * ((run * 7 + (is_left ? 3 : 0)) % 10);
    };
  };
  auto const violations = [&](auto const& seconds) {
    return analyze({made_up(asked, "1x2", seconds)}, asked.judged_by, asked.beyond,
                   asked.varied)[0][0]
        .num_violations();
  };
  CHECK(violations(times(1.1, 0.001)) == 2);
  CHECK(violations(times(1.1, 0.1)) == 0);    // not significant
  CHECK(violations(times(1.02, 0.001)) == 0); // significant and small
  CHECK(violations(times(0.5, 0.001)) == 0);
}

TEST_CASE("terms are added, or the largest of them counts") {
  std::string const text =
      head + "experiments\nsetup Alltoall Ialltoall\nbytes 8\ntopology Complete\nwork 0 100\n"
             "experiments\nsetup Work\nbytes 8\ntopology Complete\nwork 100\n"
             "guideline SUM setup=Ialltoall work=100 <= setup=Alltoall work=0 + setup=Work\n"
             "guideline MAX setup=Ialltoall work=100 <= setup=Alltoall work=0 max setup=Work\n";
  auto const asked = parse_campaign(text, "c.txt");
  auto const measured = made_up(asked, "1x2", [](levels const& experiment, int run) {
    std::string const& call = experiment[setup_column];
    double const work = experiment[work_column] == "100" ? 5 : 0;
    return (call == "Work" ? 0 : call == "Alltoall" ? 2 : 1) + work + 1e-6 * run;
  });
  auto const verdicts = analyze({measured}, asked.judged_by, asked.beyond, asked.varied);
  REQUIRE(verdicts[0][0].tests.size() == 1);
  CHECK(verdicts[0][0].tests[0].right_median == Approx(7).epsilon(1e-4)); // 2 + 5
  CHECK(verdicts[0][0].num_violations() == 0);                            // 6 <= 7
  CHECK(verdicts[1][0].tests[0].right_median == Approx(5).epsilon(1e-4));
  CHECK(verdicts[1][0].num_violations() == 1); // 6 > 5
}

TEST_CASE("wrong and absent results stay out, in all runs") {
  auto const asked = shipped_campaign("full-rand-jupiter");
  std::vector<results> runs(15);
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (levels const& experiment : asked.experiments) {
      bool const is_wrong =
          run == 3 && experiment[bytes_column] == "256" && experiment[setup_column] == "Alltoall";
      runs[run].experiments.push_back({.experiment = experiment,
                                       .outcome = is_wrong ? status::wrong : status::ok,
                                       .seconds = {1e-5}});
    }
  auto const measured = collect("1x2", runs);
  CHECK(measured.wrong.size() == 1);
  CHECK(measured.absent.empty());
  CHECK(cells(asked, measured).begin()->second == "0/14 (0/1)");
  CHECK(excluded_experiments({measured}).find("WRONG on 1x2: `Alltoall,MPI_BYTE,256") !=
        std::string::npos);
}

TEST_CASE("a second campaign confirms the violations that both have") {
  auto const asked = shipped_campaign("full-rand-jupiter");
  auto const slow_at = [&](std::string const& first, std::string const& second) {
    return analyze({made_up(asked, "1x2",
                            [&](levels const& experiment, int run) {
                              bool const is_slow = experiment[setup_column] == "Alltoall" &&
                                                   (experiment[bytes_column] == first ||
                                                    experiment[bytes_column] == second);
                              return even_times(experiment, run) * (is_slow ? 2 : 1);
                            })},
                   asked.judged_by, asked.beyond, asked.varied);
  };
  auto own = slow_at("256", "512");
  CHECK(own[0][0].num_violations() == 2);
  keep_confirmed(own, slow_at("512", "1024"));
  CHECK(own[0][0].num_violations() == 1);
}

TEST_CASE("each run has the same experiments in another order") {
  temporary_folder const folder;
  auto const made = open_or_generate(folder.place, read_file(shipped("campaigns/full-jupiter.txt")),
                                     "full-jupiter", read_file(shipped("environments/slurm.txt")),
                                     "slurm", "/usr/bin/seam-guidelines");
  std::set<std::string> orders, sets;
  for (kernel_run const& run : made.runs()) {
    auto lines = lines_of(read_file(run.input));
    std::string const text = read_file(run.input);
    auto all = lines_of(text);
    all.erase(all.begin(), all.begin() + 2);
    std::string order, set;
    for (auto line : all)
      order += std::string(line) + '\n';
    std::ranges::sort(all);
    for (auto line : all)
      set += std::string(line) + '\n';
    orders.insert(order);
    sets.insert(set);
  }
  CHECK(orders.size() == 3 * 15);
  CHECK(sets.size() == 1);
  std::string const job = read_file(folder.place / "jobs" / "35x16.sh");
  for (char const* part : {"#SBATCH --nodes=35\n", "#SBATCH --ntasks-per-node=16\n",
                           "#SBATCH --exclusive\n", "srun --nodes=35 --ntasks=560", "run-15.csv"})
    CHECK(job.find(part) != std::string::npos);

  // The same again is no error, another campaign is.
  auto const again = [&](std::string const& text) {
    open_or_generate(folder.place, text, "full-jupiter",
                     read_file(shipped("environments/slurm.txt")), "slurm", "p");
  };
  std::string const text = read_file(shipped("campaigns/full-jupiter.txt"));
  CHECK_NOTHROW(again(text));
  CHECK_THROWS_AS(again(text + "guideline X reorder=0 <= reorder=1\n"), seam::usage_error);
}

TEST_CASE("all files that come with the program can be read") {
  for (auto const& file : std::filesystem::directory_iterator(shipped("campaigns"))) {
    INFO(file.path());
    auto const asked = parse_campaign(read_file(file.path()), file.path().string());
    CHECK(asked.name == file.path().stem().string());
    // Each guideline has both of its sides among the experiments.
    std::string const name = asked.deployments[0].name();
    auto const found =
        analyze({made_up(asked, name, even_times)}, asked.judged_by, asked.beyond, asked.varied);
    for (auto const& of : found) {
      INFO(of[0].of->name << " " << of[0].of->in_words());
      CHECK_FALSE(of[0].tests.empty());
    }
  }
  for (auto const& file : std::filesystem::directory_iterator(shipped("environments")))
    CHECK_NOTHROW(parse_environment(read_file(file.path()), file.path().string()));
}

TEST_CASE("quick judges by all guidelines of the paper") {
  std::set<std::string> names;
  for (guideline const& judged : shipped_campaign("quick").judged_by)
    names.insert(judged.name);
  for (int number = 1; number <= 12; ++number)
    CHECK(names.contains("GL" + std::to_string(number)));
  CHECK(shipped_campaign("quick").runs >= 10);
}

TEST_CASE("levels of one column may depend on another's") {
  auto const asked = parse_campaign(head + "experiments\nsetup Neighbor_alltoall\nbytes 8\n"
                                           "topology Moore\nconstructor Dist_graph_create\n"
                                           "dimensions 1 to 3\nfinite 0 to dimensions\n"
                                           "radius dimensions dimensions+1\nordering FMAJ\n"
                                           "reorder 0\n",
                                    "c.txt");
  std::map<std::string, std::set<std::string>> finite, radius;
  for (levels const& experiment : asked.experiments) {
    finite[experiment[dimensions_column]].insert(experiment[finite_column]);
    radius[experiment[dimensions_column]].insert(experiment[radius_column]);
  }
  CHECK(finite["1"] == std::set<std::string>{"0", "1"});
  CHECK(finite["3"] == std::set<std::string>{"0", "1", "2", "3"});
  CHECK(radius["2"] == std::set<std::string>{"2", "3"});
  CHECK(asked.experiments.size() == 2 * (2 + 3 + 4));
}

TEST_CASE("what a campaign file cannot say is an error with its place") {
  struct mistake {
    std::string text, error;
  };
  for (
      auto const& [text, error] : std::vector<mistake>{
          {"", "c.txt:1:1: the file ends without 'campaign'"},
          {head, "c.txt:6:1: the file ends (expected experiments)"},
          {"camp c\n", "c.txt:1:1: 'camp' (expected campaign, deployments"},
          {"runs 6\n" + head + list, "c.txt:4:1: 'runs' (expected each entry once)"},
          {"campaign c\ndeployments 1x2\nruns 6\nrepetitions 5\nminutes 1\n" + list,
           "c.txt:3:6: '6' (expected at least 7 runs"},
          {"runs few\n", "c.txt:1:6: 'few' (expected a number from 1"},
          {"runs 10 11\n", "c.txt:1:9: '11' (expected one value)"},
          {"runs\n", "c.txt:1:1: 'runs' (expected one value)"},
          {"deployments 1x\n", "c.txt:1:13: '1x' (expected nodes x processes"},
          {"deployments 0x2\n", "'0x2' (expected nodes x"},
          {"campaign ../c\n", "'../c' (expected a name of letters"},
          {"repetitions 0\n", "c.txt:1:13: '0' (expected a number from 1"},
          {"setting X\n", "'X' (expected NAME=value)"},
          {"v nan\n", "'nan' (expected a number above 0"},
          {"varied size\n", "'size' (expected a column)"},
          {"bytes 8\n", "'bytes' (expected campaign"},
          {head + "experiments\nsetup Alltoal\nbytes 8\ntopology Complete\n",
           "c.txt:7:7: setup 'Alltoal' (expected a setup such as"},
          {head + list + "radius 1\n", "c.txt:10:8: radius '1' (expected -, as this topology"},
          {head + list + "ordering FMAJ\n", "c.txt:10:10: ordering 'FMAJ' (expected -)"},
          {head + list + "bytes 9\n", "c.txt:10:1: 'bytes' (expected each column once"},
          {head + list + "datatype MPI_DOUBLE MPI_LONG\n", "c.txt:10:10: datatype 'MPI_LONG'"},
          {head + "experiments\nsetup Alltoall\nbytes 8 to\n",
           "c.txt:8:9: 'to' (expected a number"},
          {head + "experiments\nsetup Alltoall\nbytes 8 to 9 by 1\n", "'1' (expected sqrt2 or"},
          {head + "experiments\nbytes finite to 9\n", "'finite' (expected a number, or an earlier"},
          {head + list + "seed 4\n", "c.txt:10:1: 'seed' (expected seed above all"},
          {head + list + "guideline\n", "c.txt:10:1: guideline: expected a name"},
          {head + list + "guideline G bytes=8\n", "c.txt:10:11: guideline: expected a name"},
          {head + list + "guideline G bytes=8 <=\n", "a side or term is empty"},
          {head + list + "guideline G size=8 <= bytes=9\n",
           "c.txt:10:13: 'size=8' (expected column=level"},
          {head + list + "guideline G setup=Alltoall <= setup=Nothing\n",
           "c.txt:10:31: 'setup=Nothing' (expected a setup in place"},
          {head + list + "guideline G setup=Alltoall <= setup=I*\n", "(expected no * on the right"},
          {head + list + "guideline G work=1 <= work=0 + work=2 max work=3\n",
           "'max' (expected terms that + or max join, not both)"}}) {
    INFO(text);
    INFO(error_of(text));
    CHECK(error_of(text).find(error) != std::string::npos);
  }
  CHECK(error_of(head + list) == "");
}

TEST_CASE("a guideline whose levels are not in the data is an error with its place") {
  for (std::string const line :
       {"guideline G setup=Allgather <= setup=Alltoall\n",
        "guideline G setup=Alltoall <= setup=Allgather\n", "guideline G bytes=8 <= bytes=17\n"}) {
    auto const asked = parse_campaign(head + list + "\n" + line, "c.txt");
    try {
      analyze({made_up(asked, "1x2", even_times)}, asked.judged_by, asked.beyond, asked.varied);
      FAIL(line);
    } catch (seam::usage_error const& problem) {
      CHECK(std::string(problem.what()).find("c.txt:11:1: guideline G ") == 0);
    }
  }
}

TEST_CASE("dimensions are at most as many as the prime factors of a deployment") {
  temporary_folder const folder;
  std::string const text = head + "experiments\nsetup Neighbor_alltoall\nbytes 8\n"
                                  "topology Cartesian\nconstructor Cart_create\n"
                                  "dimensions 1 to 3\nfinite 0\nreorder 0\n";
  std::string const here = "launch mpiexec {kernel}\n";
  CHECK_THROWS_AS(open_or_generate(folder.place, text, "c.txt", here, "here", "p"),
                  seam::usage_error);
  CHECK_FALSE(std::filesystem::exists(folder.place));
  CHECK_NOTHROW(open_or_generate(folder.place, with_entry(text, "deployments", "1x8 3x4"), "c.txt",
                                 here, "here", "p"));
}

TEST_CASE("what an environment file cannot say is an error with its place") {
  for (auto const& [text, error] : std::map<std::string, std::string>{
           {"", "e.txt:1:1: the file ends (expected 'launch"},
           {"launch\n", "e.txt:1:1: 'launch' (expected a value"},
           {"start mpiexec {kernel}\n", "e.txt:1:1: 'start' (expected launch, submit"},
           {"launch mpiexec\n", "e.txt:2:1: the file ends (expected 'launch"},
           {"launch mpiexec {ranks} {kernel}\n",
            "e.txt:1:16: '{ranks}' (expected {mpiexec}, {processes}"},
           {"setting X\n", "e.txt:1:9: 'X' (expected NAME=value)"}}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_environment(text, "e.txt"), Catch::Contains(error));
  }
}
