// The case runs inside run_program().
#include <framework/program/fault/cases.hpp>

#include <seam/framework/files/input_file.hpp>
#include <seam/framework/program/print.hpp>
#include <seam/framework/program/program.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  CLI::App cli("Runs one case #.");
  std::string name = "success", input;
  int number = 0;
  bool leave_with_zero = false;
  cli.add_option("case", name, "what goes wrong");
  cli.add_option("--number", number, "a number");
  cli.add_flag("--leave-with-zero", leave_with_zero, "whatever run_program returns");
  cli.add_option("--input", input, "a file to measure");
  int const code = seam::run_program(cli, argc, argv, [&](seam::Runtime& runtime) {
    if (!input.empty())
      seam::print(runtime, "{} bytes\n", seam::read_text(runtime, input).size());
    seam::testing::run_case(name, runtime);
    seam::print(runtime, "{}\n", runtime.describe());
  });
  std::fprintf(stderr, "run_program returns %d.\n", code);
  return leave_with_zero ? 0 : code;
}
