// seam-guidelines checks performance guidelines: that no operation of an MPI library, or of seam,
// is slower than another way to the same effect. This program measures; the one in python/ makes
// campaigns of measurements and judges them.
//
// Sample run: seam-guidelines campaign quick --folder /tmp/quick
//
// Expected: a table of the guidelines, with the violations among the tests of each, and a page
// /tmp/quick/report.html; after about five minutes on two cores.
#include "words/words.hpp"

#include <seam/framework/program/last_words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace guidelines {
namespace {

constexpr std::array words{
    word{"run", "measures the experiments of a file (under mpiexec)", run_word},
    word{"generate", "makes the files of a campaign: experiments of each run, job scripts",
         word_in_python},
    word{"campaign", "does all of it: generates, runs, analyzes, plots, reports, archives",
         word_in_python},
    word{"analyze", "tests the guidelines with the times of a campaign (needs SciPy and pandas)",
         word_in_python},
    word{"plot", "draws the violations (needs Matplotlib, too)", word_in_python},
    word{"report", "makes one page of tables and plots", word_in_python}};

/// For the program in Python alone.
constexpr word hidden_word{"check", "", check_word};

void print_words() {
  fmt::print("Checks performance guidelines of MPI and of seam.\n\n"
             "Usage: seam-guidelines WORD [OPTIONS]\n\n");
  for (word const& listed : words)
    fmt::print("  {:<10}{}\n", listed.name, listed.does);
  fmt::print("\nseam-guidelines WORD --help shows the options of a word, and examples.\n\n"
             "Examples:\n"
             "  seam-guidelines campaign quick\n"
             "  seam-guidelines campaign seam --folder monday --deployments 1x2\n"
             "  seam-guidelines analyze monday --confirm tuesday\n");
}

/// True in processes of a launcher's job but the first: words other than run are for one process.
bool is_superfluous() {
  for (char const* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (char const* const rank = std::getenv(variable); rank != nullptr)
      return std::string_view(rank) != "0";
  return false;
}

int refuse_word(char const* found) {
  std::string names;
  for (word const& listed : words)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", listed.name);
  seam::detail::print_error_line(found == nullptr
                                     ? fmt::format("a word is missing (expected one of {})", names)
                                     : fmt::format("'{}' (expected one of {})", found, names));
  return EXIT_FAILURE;
}

} // namespace
} // namespace guidelines

int main(int argc, char** argv) {
  using namespace guidelines;
  seam::detail::last_words const ending(argv[0]);
  std::string_view const wanted = argc > 1 ? argv[1] : "";
  if (wanted != "run" && is_superfluous())
    return EXIT_SUCCESS;
  if (wanted == "--help" || wanted == "-h")
    return print_words(), EXIT_SUCCESS;
  if (wanted == "--version")
    return fmt::print("seam-guidelines (seam {})\n", SEAM_VERSION), EXIT_SUCCESS;
  if (wanted == hidden_word.name)
    return hidden_word.run(argc, argv);
  auto const found = std::ranges::find(words, wanted, &word::name);
  return found == words.end() ? refuse_word(argc > 1 ? argv[1] : nullptr) : found->run(argc, argv);
}
