// The case runs inside run_program().
#include <framework/program/fault/cases.hpp>

#include <seam/framework/files/input_file.hpp>
#include <seam/framework/program/print.hpp>
#include <seam/framework/program/program.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  std::string name = "success", input;
  int number = 0;
  bool leave_with_zero = false;
  auto const add_options = [&](seam::option_list cli) {
    cli.describe("Runs one case #.");
    cli.add("case", name, "what goes wrong");
    cli.add("--number", number, "a number");
    cli.add_flag("--leave-with-zero", leave_with_zero, "whatever run_program returns");
    cli.add("--input", input, "a file to measure");
  };
  int const code = seam::run_program(argc, argv, add_options, [&](seam::Runtime& runtime) {
    if (!input.empty())
      seam::print(runtime, "{} bytes\n", seam::read_text(runtime, input).size());
    seam::testing::run_case(name, runtime);
    seam::print(runtime, "{}\n", runtime.describe());
  });
  std::fprintf(stderr, "run_program returns %d.\n", code);
  return leave_with_zero ? 0 : code;
}
