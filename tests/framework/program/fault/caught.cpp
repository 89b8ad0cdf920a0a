// Main catches what the case throws, outside of the Runtime, which so ends while the stack unwinds.
#include <framework/program/fault/cases.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  try {
    seam::Runtime runtime(argc, argv);
    seam::testing::run_case(argc > 1 ? argv[1] : "", runtime);
    return 0;
  } catch (std::exception const& problem) {
    std::fprintf(stderr, "main caught: %s\n", problem.what());
    return 1;
  }
}
