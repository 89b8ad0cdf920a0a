#include <seam/framework/program/nearest_name.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace seam::detail {
namespace {

/// The fewest characters to insert, remove or replace that make `to` of `from`.
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> edits(to.size() + 1); // of the characters of `from` seen so far
  std::iota(edits.begin(), edits.end(), 0);
  for (char const removed : from) {
    std::size_t diagonal = edits[0]++;
    for (std::size_t i = 0; i < to.size(); ++i) {
      std::size_t const replaced = diagonal + (removed == to[i] ? 0 : 1);
      diagonal = edits[i + 1];
      edits[i + 1] = std::min({replaced, diagonal + 1, edits[i] + 1});
    }
  }
  return edits.back();
}

} // namespace

std::string nearest_name(std::string_view word, std::span<std::string const> names) {
  std::string nearest;
  std::size_t least = (word.size() + 2) / 3 + 1;
  for (std::string const& name : names)
    if (auto const edits = edits_between(word, name); edits < least) {
      least = edits;
      nearest = name;
    }
  return nearest;
}

} // namespace seam::detail
