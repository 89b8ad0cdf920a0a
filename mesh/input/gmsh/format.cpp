#include <seam/mesh/input/gmsh/format.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/gmsh/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace seam::detail {
namespace {

constexpr double known_versions[] = {2, 2.1, 2.2, 4, 4.1};

/// Takes the line at `at`; lines of the format section are short.
std::string_view take_line(file_window& file, msh_place& at, std::string_view expected) {
  constexpr std::int64_t longest = 256;
  auto const ahead = file.at(at.offset, longest);
  auto const length = std::min(ahead.find('\n'), ahead.size());
  if (length == ahead.size())
    refuse_msh(file, at, fmt::format("{} (expected {})", shown(ahead), expected));
  at.offset += static_cast<std::int64_t>(length) + 1;
  ++at.line;
  return trimmed(ahead.substr(0, length));
}

void take_section_line(file_window& file, msh_place& at, std::string_view name) {
  msh_place const begin = at;
  auto const line = take_line(file, at, name);
  if (line != name)
    refuse_msh(file, begin, fmt::format("{} (expected {})", shown(line), name));
}

/// Takes the number 1, by which a writer shows the byte order of its integers.
void take_byte_order(file_window& file, msh_place& at) {
  std::int32_t one = 0;
  auto const bytes = file.at(at.offset, sizeof(one));
  if (bytes.size() == sizeof(one))
    std::memcpy(&one, bytes.data(), sizeof(one));
  constexpr std::int32_t swapped = 0x01000000;
  if (one == swapped)
    refuse_msh(file, at,
               "binary numbers in the order of another machine (expected this machine's; gmsh "
               "saves a mesh as text too)");
  if (one != 1)
    refuse_msh(file, at, fmt::format("{} where the number 1 shows the order of bytes", one));
  at.offset += sizeof(one);
  auto const end = file.at(at.offset, 1);
  at.offset += end == "\n" ? 1 : 0;
}

} // namespace

void refuse_msh(file_window const& file, msh_place const& at, std::string_view why,
                bool on_all_ranks) {
  std::string const place =
      at.line > 0 ? fmt::format("{}", at.line) : fmt::format(" byte {}", at.offset);
  throw usage_error(fmt::format("gmsh: {}:{}: {}", file.path(), place, why), on_all_ranks);
}

std::string shown(std::string_view found) {
  constexpr std::size_t longest = 40;
  if (found.empty())
    return "nothing";
  std::string text(found.substr(0, longest));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("'{}{}'", text, found.size() > longest ? "..." : "");
}

void pass_blank_lines(file_window& file, msh_place& at, std::int64_t end) {
  constexpr std::int64_t most = 256;
  while (at.offset < std::min(end, file.size())) {
    char const first = file.ahead(at.offset).front();
    if (first != '\n' && blanks.find(first) == blanks.npos)
      return;
    auto const ahead = file.at(at.offset, most);
    auto const length = ahead.find_first_not_of(blanks);
    if (length == ahead.npos || ahead[length] != '\n')
      return;
    at.offset += static_cast<std::int64_t>(length) + 1;
    ++at.line;
  }
}

msh_format read_msh_format(file_window& file) {
  msh_place at{.offset = 0, .line = 1};
  take_section_line(file, at, "$MeshFormat");
  msh_place const second = at;
  constexpr std::string_view expected = "a version, 0 or 1, and 8";
  number_reader numbers(take_line(file, at, expected));
  auto const version = numbers.next<double>();
  auto const is_binary = numbers.next<int>(), bytes = numbers.next<int>();
  if (!version || !is_binary || !bytes || !numbers.is_at_end() || *is_binary < 0 || *is_binary > 1)
    refuse_msh(file, second, fmt::format("{} (expected {})", shown(numbers.text()), expected));
  if (std::ranges::find(known_versions, *version) == std::end(known_versions))
    refuse_msh(file, second, fmt::format("format {} (expected 2 to 2.2, 4 or 4.1)", *version));
  if (*bytes != 8)
    refuse_msh(file, second, fmt::format("numbers of {} bytes (expected 8)", *bytes));
  if (*is_binary == 1)
    take_byte_order(file, at);
  take_section_line(file, at, "$EndMeshFormat");
  if (*is_binary == 1)
    at.line = 0;
  return {
      .is_binary = *is_binary == 1, .is_4 = *version >= 4, .body = at, .is_4_0 = *version == 4.0};
}

} // namespace seam::detail
