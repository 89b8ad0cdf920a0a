// Prints the probability of each line "method; values; values" of stdin, for comparisons with other
// programs' statistics.
#include "statistics/rank_sum.hpp"

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::vector<double> numbers_in(std::string const& text) {
  std::istringstream stream(text);
  std::vector<double> numbers;
  for (double number = 0; stream >> number;)
    numbers.push_back(number);
  return numbers;
}

guidelines::rank_sum_method method_named(std::string const& name) {
  using guidelines::rank_sum_method;
  return name == "exact"    ? rank_sum_method::exact
         : name == "normal" ? rank_sum_method::normal
                            : rank_sum_method::automatic;
}

} // namespace

int main() {
  std::cout.precision(17);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    std::string method, a, b;
    std::getline(fields, method, ';');
    std::getline(fields, a, ';');
    std::getline(fields, b, ';');
    std::cout << guidelines::rank_sum_p(numbers_in(a), numbers_in(b), method_named(method)) << '\n';
  }
}
