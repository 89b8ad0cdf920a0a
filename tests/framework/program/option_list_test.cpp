// Option lists: what they take, refuse and show.
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/program/option_list.hpp>

#include <support/catch.hpp>

#include <CLI/CLI.hpp>

using namespace seam;

namespace {

struct wanted {
  int cells = 8, every = 0;
  std::int64_t steps = 5;
  std::uint64_t seed = 0;
  double rate = 0.5;
  std::string name, shape = "ball";
  std::vector<int> sizes{1, 2};
  std::vector<double> places;
  bool is_quick = false;
  std::string read;
};

void add_options(option_list cli, wanted& to) {
  cli.describe("does little");
  cli.end_help("that is all");
  cli.add("name", to.name, "of it").required();
  cli.add("--cells", to.cells, "of an axis").between(2, 64);
  cli.add("--every", to.every, "now and then");
  cli.add("--steps", to.steps, "of time").between(std::int64_t{1}, std::int64_t{1} << 40, "COUNT");
  cli.add("--seed", to.seed, "of numbers");
  cli.add("--rate", to.rate, "of decay").between(0.0, 1.0);
  cli.add("--shape", to.shape, "of it").one_of({"ball", "cube"});
  cli.add("--sizes", to.sizes, "of all").named("N,...");
  cli.add("--places", to.places, "of all");
  cli.add(
      "--word",
      [&](std::string const& text) {
        if (text == "bad")
          throw usage_error("'bad' (expected another word)");
        to.read = text;
      },
      "read by the program");
  cli.add_flag("--quick", to.is_quick, "be it").needs("--rate").within("speed");
}

/// The message by which a command line is refused; empty if it is not.
std::string refused(std::string const& line) {
  wanted to;
  CLI::App app;
  add_options(app, to);
  try {
    app.parse(line);
    return {};
  } catch (CLI::ParseError const& problem) {
    return problem.what();
  }
}

} // namespace

TEST_CASE("options are read into variables, whose first values are the defaults") {
  wanted to;
  CLI::App app;
  add_options(app, to);
  app.parse(
      "it --cells 64 --steps 1099511627776 --seed 18446744073709551615 --rate 0.25 --shape cube "
      "--sizes 3,4,5 --places 0.5,2 --word good --quick --every 3");
  CHECK(to.name == "it");
  CHECK(to.cells == 64);
  CHECK(to.every == 3);
  CHECK(to.steps == std::int64_t{1} << 40);
  CHECK(to.seed == std::uint64_t(-1));
  CHECK(to.rate == 0.25);
  CHECK(to.shape == "cube");
  CHECK(to.sizes == std::vector{3, 4, 5});
  CHECK(to.places == std::vector{0.5, 2.0});
  CHECK(to.read == "good");
  CHECK(to.is_quick);
}

TEST_CASE("options refuse what is out of their range") {
  CHECK(refused("it").empty());
  CHECK_THAT(refused(""), Catch::Contains("name is required"));
  CHECK_THAT(refused("it --cells 65"), Catch::Contains("--cells: Value 65 not in range 2 to 64"));
  CHECK_THAT(refused("it --rate 1.5"), Catch::Contains("--rate: Value 1.5 not in range 0"));
  CHECK_THAT(refused("it --steps 0"), Catch::Contains("--steps: Value 0 not in range"));
  CHECK_THAT(refused("it --shape egg"), Catch::Contains("--shape: egg not in {ball,cube}"));
  CHECK_THAT(refused("it --word bad"), Catch::Contains("--word: 'bad' (expected another word)"));
  CHECK_THAT(refused("it --quick"), Catch::Contains("--quick requires --rate"));
}

TEST_CASE("the help of options shows defaults, but for zeros and empty ones, ranges and groups") {
  wanted to;
  CLI::App app;
  add_options(app, to);
  std::string const help = app.help();
  for (char const* const text :
       {"does little", "that is all", "INT in [2 - 64]=8", "=0.5", "{ball,cube}=ball",
        "N,...=[1,2]", "speed", "--every INT ", "--places FLOAT "})
    CHECK_THAT(help, Catch::Contains(text));
}
