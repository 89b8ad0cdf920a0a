#include <support/catch.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/benchmark_output.hpp>
#include <seam/framework/files/input_file.hpp>

#include <filesystem>

using namespace seam;
using namespace seam::detail;

TEST_CASE("the table of a benchmark is in its file, and only once the benchmark has ended") {
  int argc = 0;
  char* no_arguments[] = {nullptr};
  char** argv = no_arguments;
  Runtime runtime(argc, argv);
  mpi::comm_view const all = runtime;
  if (all.rank() == 0)
    std::filesystem::remove("times.csv");
  mpi::barrier(all);
  benchmark_output output(runtime, "times.csv");
  mpi::barrier(all);
  CHECK_FALSE(std::filesystem::exists("times.csv"));
  mpi::barrier(all);
  output.table.add({timing{.question = "how long", .variant = "this", .ranks = 3, .min = 1}});
  output.finish("a remark\n");
  CHECK(read_text(all, "times.csv") == output.table.csv());

  benchmark_output const without_file(runtime, "");
  without_file.finish();
  CHECK_THROWS_AS(benchmark_output(runtime, "nowhere/times.csv"), usage_error);
}
