#include "course.hpp"

namespace partitioned_bench {

std::string_view name_of(course how) {
  switch (how) {
  case course::together: return "together";
  case course::uniform: return "uniform";
  case course::laggard: return "laggard";
  }
  return "no course";
}

void compute(seconds time) {
  auto const end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

seconds work_for(course how, int p, int partitions, seconds all) {
  switch (how) {
  case course::uniform: return all / partitions;
  case course::laggard: return p + 1 == partitions ? all : seconds(0);
  case course::together: break;
  }
  return seconds(0);
}

} // namespace partitioned_bench
