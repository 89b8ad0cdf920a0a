#include <support/catch.hpp>
#include <support/stderr_of.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/framework/files/input_file.hpp>
#include <seam/framework/program/program.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// What run_program returns for a program with the options --size and --title, and these arguments.
int run(std::vector<std::string> words, std::function<void(Runtime&, int size)> const& body) {
  CLI::App cli("a program");
  int size = 0;
  std::string title;
  cli.add_option("--size", size);
  cli.add_option("--title", title);
  words.insert(words.begin(), "/some/where/program");
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  int const count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  return run_program(cli, count, pointers.data(), [&](Runtime& runtime) { body(runtime, size); });
}

bool is_last(Runtime const& runtime) { return runtime.rank() == runtime.size() - 1; }

} // namespace

TEST_CASE("a program's body sees the command line") {
  int seen = 0;
  CHECK(run({"--size", "12"}, [&](Runtime&, int size) { seen = size; }) == 0);
  CHECK(seen == 12);
}

TEST_CASE("a program whose command line is wrong, or asks for help, does not run its body") {
  bool has_run = false;
  auto const body = [&](Runtime&, int) { has_run = true; };
  CHECK(run({"--size", "large"}, body) == 1);
  CHECK(run({"--unknown"}, body) == 1);
  CHECK(run({"--size", "99999999999999999999"}, body) == 1);
  CHECK(run({"--size", "-99999999999999999999"}, body) == 1);
  CHECK(run({"--help"}, body) == 0);
  CHECK(run({"--version"}, body) == 0);
  CHECK_FALSE(has_run);
}

TEST_CASE("numbers of options are decimal") {
  for (auto const& [text, number] :
       {std::pair("010", 10), std::pair("-007", -7), std::pair("+08", 8), std::pair("0", 0),
        std::pair("000", 0), std::pair("-0", 0)}) {
    CAPTURE(text);
    int seen = -1;
    CHECK(run({"--size", text}, [&](Runtime&, int size) { seen = size; }) == 0);
    CHECK(seen == number);
  }
  for (std::string const text : {"0x5", "0X5", "-0x5", "0b101", "0o17", "0x"}) {
    CAPTURE(text);
    int code = 0;
    auto const line = testing::stderr_of([&] {
      code = run({"--size", text}, [](Runtime&, int) {});
    });
    CHECK(code == 1);
    if (mpi::comm_view(MPI_COMM_WORLD).rank() == 0)
      CHECK(line == "program: --size: '" + text +
                        "' (expected a decimal number) (--help shows the options)\n");
  }
  CHECK(run({"--title", "0x5"}, [](Runtime&, int) {}) == 0);
}

TEST_CASE("an option with an empty value is refused, and not taken as none") {
  auto const body = [](Runtime&, int) {};
  CHECK(run({"--title", "a"}, body) == 0);
  int code = 0;
  auto const line = testing::stderr_of([&] { code = run({"--title", ""}, body); });
  CHECK(code == 1);
  if (mpi::comm_view(MPI_COMM_WORLD).rank() == 0)
    CHECK(line == "program: --title: '' (expected a value) (--help shows the options)\n");
}

TEST_CASE("an unknown option is named, also where a required one is missing") {
  CLI::App cli("a program");
  std::string input;
  cli.add_option("input", input)->required();
  std::string name = "program", word = "--nonsense";
  std::vector<char*> words{name.data(), word.data(), nullptr};
  auto const line =
      testing::stderr_of([&] { CHECK(run_program(cli, 2, words.data(), [](Runtime&) {}) == 1); });
  if (mpi::comm_view(MPI_COMM_WORLD).rank() == 0)
    CHECK(line == "program: The following argument was not expected: --nonsense (--help shows the "
                  "options)\n");
}

TEST_CASE("a mistyped option is answered by the one that is meant") {
  auto const answer_to = [](std::string word) {
    CLI::App cli("a program");
    int cells = 0;
    cli.add_option("--cells", cells);
    cli.add_option("--tolerance", cells);
    std::string name = "program";
    std::vector<char*> words{name.data(), word.data(), nullptr};
    auto const line =
        testing::stderr_of([&] { CHECK(run_program(cli, 2, words.data(), [](Runtime&) {}) == 1); });
    auto const answer = line.find("; is ");
    return answer == line.npos ? "" : line.substr(answer + 5, line.find(" meant?") - answer - 5);
  };
  bool const prints = mpi::comm_view(MPI_COMM_WORLD).rank() == 0;
  for (auto const& [word, meant] :
       std::vector<std::pair<std::string, std::string>>{{"--cels", "--cells"},
                                                        {"--cell=5", "--cells"},
                                                        {"--tolerence", "--tolerance"},
                                                        {"--hlep", "--help"},
                                                        {"--nonsense", ""},
                                                        {"word", ""}})
    CHECK(answer_to(word) == (prints ? meant : ""));
}

TEST_CASE("command lines that differ between ranks end alike on all of them") {
  bool const odd = mpi::comm_view(MPI_COMM_WORLD).rank() % 2 == 1;
  int const expected = mpi::comm_view(MPI_COMM_WORLD).size() > 1 ? 1 : 0;
  CHECK(run({"--size", odd ? "large" : "1"}, [](Runtime&, int) {}) == expected);
}

TEST_CASE("checked mode can be turned on and off by option, alike on all ranks") {
  checks_in_scope const as_before(checks_are_on());
  for (bool on : {true, false, true}) {
    CHECK(run({"--checks", on ? "on" : "off"},
              [&](Runtime&, int) { CHECK(checks_are_on() == on); }) == 0);
  }
  bool const odd = mpi::comm_view(MPI_COMM_WORLD).rank() % 2 == 1;
  int const expected = mpi::comm_view(MPI_COMM_WORLD).size() > 1 ? 1 : 0;
  CHECK(run({"--checks", odd ? "off" : "on"}, [](Runtime&, int) {}) == expected);
  CHECK(run({"--checks", "perhaps"}, [](Runtime&, int) {}) == 1);
  CHECK(run({"--debug-stall", "0"}, [](Runtime&, int) {}) == 1);
  auto const reports_after = [](double seconds) {
    return [=](Runtime&, int) { CHECK(time_before_report() == stall_time(seconds)); };
  };
  CHECK(run({"--debug-stall", "2.5"}, reports_after(2.5)) == 0);
  set_time_before_report(std::nullopt);
}

TEST_CASE("all ranks return 1 if one fails and the others come to their ends") {
  CHECK(run({}, [](Runtime& runtime, int) {
          if (is_last(runtime))
            throw std::runtime_error("the last rank failed");
        }) == 1);
  CHECK(run({}, [](Runtime&, int) { throw std::runtime_error("each rank failed"); }) == 1);
  CHECK(run({}, [](Runtime& runtime, int) {
          collectively(runtime, [&] {
            if (is_last(runtime))
              refuse("the last rank found a mistake");
          });
        }) == 1);
}

TEST_CASE("an input file is the same on all ranks") {
  mpi::comm_view const all(MPI_COMM_WORLD);
  std::string const path = "input.txt", content = std::string("a\nb\0c\n", 6) + "end";
  if (all.rank() == 0)
    std::ofstream(path, std::ios::binary) << content;
  CHECK(read_text(all, path) == content);
  mpi::barrier(all);
  if (all.rank() == 0)
    std::remove(path.c_str());
}

TEST_CASE("an input file that cannot be read is an error on all ranks") {
  mpi::comm_view const all(MPI_COMM_WORLD);
  CHECK_THROWS_AS(read_text(all, "nowhere/to/be/found"), usage_error);
  CHECK_THROWS_AS(read_text(all, "."), usage_error);
}
