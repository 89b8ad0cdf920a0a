#include "rivals.hpp"

namespace collective_bench {
namespace {

std::vector<rival> const& all_rivals() {
  static std::vector<rival> const all = [] {
    std::vector<rival> found;
    for (auto const& list :
         {neighbor_rivals(), complete_rivals(), persistent_rivals(), rivals_by_hand()})
      found.insert(found.end(), list.begin(), list.end());
    return found;
  }();
  return all;
}

template <class Choice>
bool has(std::vector<Choice> const& wanted, Choice one) {
  return std::ranges::find(wanted, one) != wanted.end();
}

} // namespace

std::vector<seam::variant> rivals_of(problem& on, choice_of_rivals const& wanted) {
  std::vector<seam::variant> made;
  for (rival const& one : all_rivals())
    if (one.operation == on.operation() && one.where == on.asked.where() &&
        (!one.how || has(wanted.forms, *one.how)) && has(wanted.origins, one.from)) {
      made.push_back(one.make(on));
      made.back().name = one.name;
      made.back().is = seam::role::rival;
    }
  return made;
}

} // namespace collective_bench
