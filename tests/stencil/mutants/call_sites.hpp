/// Call sites: the places where a program exchanges ghosts, of which one can be made wrong from
/// outside. SEAM_MUTANT is "0:deleted" for site 0 in all steps, or "0:deleted:3" for step 3 alone.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>

namespace seam::testing {

/// What is wrong with one call site, or nothing.
class call_sites {
public:
  call_sites() {
    char const* const text = std::getenv("SEAM_MUTANT");
    std::istringstream words(text == nullptr ? "" : text);
    std::string word;
    if (std::getline(words, word, ':'))
      site_ = std::stoi(word);
    std::getline(words, kind_, ':');
    if (std::getline(words, word, ':'))
      step_ = std::stoi(word);
  }

  /// An exchange where it belongs. Deleted: it is left out. Late: it is carried out in behind().
  /// Other: that of another field is carried out.
  template <class Exchange, class Other>
  void before_use(int site, int step, Exchange const& exchange, Other const& other) const {
    if (!is_wrong(site, step))
      exchange();
    else if (kind_ == "other")
      other();
  }

  /// The same exchange, behind the loop that needs it.
  template <class Exchange>
  void behind_use(int site, int step, Exchange const& exchange) const {
    if (is_wrong(site, step) && kind_ == "late")
      exchange();
  }

private:
  bool is_wrong(int site, int step) const { return site == site_ && (step_ < 0 || step == step_); }

  int site_ = -1, step_ = -1;
  std::string kind_;
};

} // namespace seam::testing
