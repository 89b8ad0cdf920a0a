#include "course.hpp"

namespace partitioned_bench {
namespace {

/// Keeps the core busy.
void compute(seconds time) {
  auto const end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Writes one byte of each cache line, without changing its value.
void renew(std::span<std::byte> bytes) {
  constexpr int cache_line = 64;
  for (std::int64_t k = 0; k < std::ssize(bytes); k += cache_line) {
    std::byte volatile& written = bytes[k];
    written = written;
  }
}

} // namespace

std::string_view name_of(course how) {
  switch (how) {
  case course::together: return "together";
  case course::uniform: return "uniform";
  case course::laggard: return "laggard";
  }
  return "no course";
}

seconds work_for(course how, int p, int partitions, seconds all) {
  switch (how) {
  case course::uniform: return all / partitions;
  case course::laggard: return p + 1 == partitions ? all : seconds(0);
  case course::together: break;
  }
  return seconds(0);
}

void produce(route const& along, course how, int p, seconds all) {
  if (!along.sends())
    return;
  compute(work_for(how, p, along.partitions, all));
  auto const length = along.partition_bytes();
  renew(along.out.subspan(p * length, length));
}

} // namespace partitioned_bench
