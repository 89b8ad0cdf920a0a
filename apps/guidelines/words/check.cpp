// check: whether experiments can be, for the program in Python.
#include "experiments/input_file.hpp"
#include "words/words.hpp"

#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <iterator>

namespace guidelines {

int check_word(int argc, char** argv) {
  auto const num_processes = argc == 3 ? seam::decimal<int>(argv[2]) : std::nullopt;
  if (!num_processes)
    throw seam::usage_error("check: expected the number of processes, or 0");
  std::string const text(std::istreambuf_iterator<char>(std::cin), {});
  try {
    parse_input(text, "experiments", *num_processes);
    return EXIT_SUCCESS;
  } catch (seam::usage_error const& problem) {
    fmt::print("{}\n", problem.what());
    return EXIT_FAILURE;
  }
}

} // namespace guidelines
