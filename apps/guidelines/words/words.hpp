/// The words of seam-guidelines: parts of the program with options of their own.
#pragma once

#include <string_view>

namespace guidelines {

/// One word.
struct word {
  std::string_view name, does;
  int (*run)(int argc, char** argv); ///< main's arguments; returns the exit code
};

/// The kernel; all others run without MPI.
int run_word(int argc, char** argv);

/// Reads experiments from stdin, as an input file has them, and prints the first mistake in them.
/// The program in Python asks so for the experiments that it makes.
int check_word(int argc, char** argv);

/// Runs any other word: replaces this process by the program in Python.
/// @throws usage_error  there is no Python, or no such program
int word_in_python(int argc, char** argv);

} // namespace guidelines
