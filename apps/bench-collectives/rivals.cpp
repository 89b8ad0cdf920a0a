#include "rivals.hpp"

namespace collective_bench {
namespace {

std::vector<rival> const& all_rivals() {
  static std::vector<rival> const all = [] {
    std::vector<rival> found;
    for (auto const& list : {neighbor_rivals(), complete_rivals(), rivals_by_hand()})
      found.insert(found.end(), list.begin(), list.end());
    return found;
  }();
  return all;
}

template <class Choice>
bool has(std::vector<Choice> const& wanted, Choice choice) {
  return std::ranges::find(wanted, choice) != wanted.end();
}

} // namespace

std::vector<seam::variant> rivals_of(problem& on, choice_of_rivals const& wanted) {
  std::vector<seam::variant> made;
  for (rival const& listed : all_rivals())
    if (listed.operation == on.operation() && listed.where == on.asked.where() &&
        (!listed.how || has(wanted.forms, *listed.how)) && has(wanted.origins, listed.from)) {
      made.push_back(listed.make(on));
      made.back().name = listed.name;
      made.back().is = seam::role::rival;
    }
  return made;
}

} // namespace collective_bench
