#include <seam/exchange/ground/error.hpp>

#include <seam/exchange/ground/processor.hpp>

#include <cstdio>
#include <cstdlib>

namespace seam {
using namespace detail;

namespace {

/// Brings the look at the processor into programs that are linked with seam's libraries.
[[gnu::used]] bool const* const looked_at_processor = &processor_is_checked;

/// seam's own files are compiled by their path from the top folder on, which is returned whole. Of
/// other paths, absolute or by way of other folders, the last two components are returned.
std::string_view short_path(std::string_view path) {
  if (!path.starts_with('/') && !path.starts_with('.'))
    return path;
  auto const file = path.rfind('/');
  if (file == std::string_view::npos || file == 0)
    return path;
  auto const folder = path.rfind('/', file - 1);
  return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

} // namespace

std::string where(source_place place) {
  return std::string(short_path(place.file)) + ":" + std::to_string(place.line);
}

void refuse(std::string_view line, source_place place) {
  constexpr int no_class = 0;
  refuse(no_class, line, place);
}

void refuse(int error_class, std::string_view line, source_place place) {
  constexpr bool on_all_ranks = false;
  throw usage_error(std::string(line) + " [" + where(place) + "]", on_all_ranks, error_class);
}

void detail::assertion_failed(char const* condition, std::string const& values,
                              source_place place) noexcept {
  std::fprintf(stderr, "seam: broken invariant: %s does not hold: %s [%s]\n", condition,
               values.c_str(), where(place).c_str());
  std::abort();
}

} // namespace seam
