// What a build needs of a processor.
#include <seam/exchange/ground/processor.hpp>

#include <support/catch.hpp>

#include <iterator>
#include <string>

using namespace seam::detail;

TEST_CASE("the first set of instructions that is used and not there is named") {
  instruction_set const sets[] = {{"there", true, true},
                                  {"not used", false, false},
                                  {"lacking", true, false},
                                  {"lacking too", true, false}};
  CHECK(std::string(missing_of(std::begin(sets), std::end(sets))) == "lacking");
}

TEST_CASE("nothing is missing where all that is used is there") {
  instruction_set const sets[] = {{"there", true, true}, {"not used", false, false}};
  CHECK(missing_of(std::begin(sets), std::end(sets)) == nullptr);
  CHECK(missing_of(nullptr, nullptr) == nullptr);
}

TEST_CASE("the processor has been looked at before main begins") { CHECK(processor_is_checked); }
