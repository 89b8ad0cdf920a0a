/// The words of seam-guidelines: parts of the program with options of their own.
#pragma once

#include <string_view>

namespace guidelines {

/// One word.
struct word {
  std::string_view name, does;
  int (*run)(int argc, char** argv); ///< main's arguments without the word; returns the exit code
};

int run_word(int argc, char** argv); ///< the kernel; all others run without MPI
int generate_word(int argc, char** argv);
int analyze_word(int argc, char** argv);
int plot_word(int argc, char** argv);
int report_word(int argc, char** argv);
int campaign_word(int argc, char** argv);

} // namespace guidelines
