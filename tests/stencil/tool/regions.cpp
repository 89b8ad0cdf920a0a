// A tool of Kokkos' profiling interface: counts the regions of a process, and prints them at its end in
// the order in which they came first.
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<std::pair<std::string, long>> regions;
int depth = 0, most_deep = 0;
bool has_lost_one = false;

} // namespace

extern "C" {

void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*) {}

void kokkosp_push_profile_region(char const* name) {
  most_deep = ++depth > most_deep ? depth : most_deep;
  for (auto& [known, count] : regions)
    if (known == name) {
      ++count;
      return;
    }
  regions.emplace_back(name, 1);
}

void kokkosp_pop_profile_region() { has_lost_one = --depth < 0 || has_lost_one; }

void kokkosp_finalize_library() {
  for (auto const& [name, count] : regions)
    std::fprintf(stderr, "region %s: %s\n", name.c_str(), count > 0 ? "seen" : "");
  std::fprintf(stderr, "regions: %d open, at most %d deep%s\n", depth, most_deep,
               has_lost_one ? ", one ended that had not begun" : "");
}
}
