// Nobody catches what the case throws.
#include <framework/program/fault/cases.hpp>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::testing::run_case(argc > 1 ? argv[1] : "", runtime);
}
