#include "campaign/shipped_files.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace guidelines {
namespace {

std::vector<std::string> names_in(path const& folder) {
  std::vector<std::string> names;
  for (auto const& file : std::filesystem::directory_iterator(folder))
    names.push_back(file.path().stem().string());
  std::ranges::sort(names);
  return names;
}

} // namespace

path program_path() { return std::filesystem::read_symlink("/proc/self/exe"); }

path shipped_files() {
  path folder = (program_path().parent_path() / SEAM_GUIDELINES_FILES).lexically_normal();
  if (!std::filesystem::exists(folder / "campaigns"))
    throw seam::usage_error(fmt::format("'{}': no such folder (expected the files that come with "
                                        "seam-guidelines)",
                                        folder.string()));
  return folder;
}

path find_file(std::string const& wanted, std::string const& folder) {
  if (std::filesystem::is_regular_file(wanted))
    return wanted;
  path known = shipped_files() / folder / (wanted + ".txt");
  if (std::filesystem::is_regular_file(known))
    return known;
  throw seam::usage_error(
      fmt::format("'{}': no such file, nor one of the {} (expected a file or one of {})", wanted,
                  folder, fmt::join(names_in(shipped_files() / folder), ", ")));
}

} // namespace guidelines
