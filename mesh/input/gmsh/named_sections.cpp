#include <seam/mesh/input/gmsh/records.hpp>

#include <seam/mesh/input/gmsh/cursor.hpp>
#include <seam/mesh/input/gmsh/text.hpp>

#include <fmt/format.h>

#include <array>
#include <initializer_list>

namespace seam::detail {
namespace {

/// The lines of a section in text, or in a binary file its numbers, one after the other.
class section_reader {
public:
  section_reader(file_window& file, msh_place at, bool is_binary)
      : file_(file), at_(at), begin_(at), is_binary_(is_binary) {}

  std::string_view line(std::string_view expected) {
    constexpr std::int64_t most = 4096;
    pass_blank_lines(file_, at_, file_.size());
    begin_ = at_;
    auto const ahead = file_.at(at_.offset, most);
    auto const length = ahead.find('\n');
    if (length == ahead.npos)
      refuse(fmt::format("{} (expected {})", shown(ahead), expected));
    at_.offset += static_cast<std::int64_t>(length) + 1;
    at_.line += at_.line > 0 ? 1 : 0;
    line_ = trimmed(ahead.substr(0, length));
    return line_;
  }

  /// Integers: a line of them in text, else one of widths[k] bytes for each k.
  template <std::size_t N>
  std::array<std::int64_t, N> integers(std::array<int, N> const& widths,
                                       std::string_view expected) {
    std::array<std::int64_t, N> found{};
    if (!is_binary_) {
      number_reader reader(line(expected));
      for (std::int64_t& number : found) {
        auto const next = reader.next<std::int64_t>();
        if (!next)
          refuse(fmt::format("{} (expected {})", shown(reader.text()), expected));
        number = *next;
      }
      return found;
    }
    begin_ = at_;
    for (std::size_t k = 0; k < N; ++k) {
      auto const bytes = file_.at(at_.offset, widths[k]);
      if (std::ssize(bytes) < widths[k])
        refuse(fmt::format("the file ends (expected {})", expected));
      found[k] =
          widths[k] == 4 ? number_in<std::int32_t>(bytes, 0) : number_in<std::int64_t>(bytes, 0);
      at_.offset += widths[k];
    }
    return found;
  }

  /// Passes the numbers of the map from one border to the other, which its nodes show as well.
  void pass_map(msh_format const& format) {
    constexpr std::string_view expected = "the numbers of an affine map";
    if (format.is_4 && !format.is_4_0) {
      auto const count = integers<1>({8}, expected)[0];
      if (count < 0 || count > 16)
        refuse(fmt::format("{} numbers of an affine map (expected 0 or 16)", count));
      at_.offset += is_binary_ ? 8 * count : 0;
      return;
    }
    msh_place const before = at_;
    if (!line(expected).starts_with("Affine"))
      at_ = before;
  }

  [[noreturn]] void refuse(std::string_view why) const { refuse_msh(file_, begin_, why); }

private:
  file_window& file_;
  msh_place at_, begin_;
  bool is_binary_;
  std::string line_;
};

} // namespace

std::vector<mesh_group> read_group_names(file_window& file, msh_place at) {
  section_reader from(file, at, false);
  auto const count = from.integers<1>({8}, "the number of names")[0];
  std::vector<mesh_group> groups;
  for (std::int64_t k = 0; k < count; ++k) {
    constexpr std::string_view expected = "a dimension, a tag and a name in quotes";
    number_reader reader(from.line(expected));
    auto const dimension = reader.next<int>();
    auto const tag = reader.next<std::int32_t>();
    auto const name = reader.rest();
    bool const is_quoted = name.size() >= 2 && name.front() == '"' && name.back() == '"';
    if (!dimension || !tag || *dimension < 0 || *dimension > 3 || !is_quoted)
      from.refuse(fmt::format("{} (expected {})", shown(reader.text()), expected));
    groups.push_back({*dimension, *tag, std::string(name.substr(1, name.size() - 2))});
  }
  if (auto const end = from.line("$EndPhysicalNames"); end != "$EndPhysicalNames")
    from.refuse(fmt::format("{} (expected $EndPhysicalNames after {} names)", shown(end), count));
  return groups;
}

std::vector<joined_vertices> read_joined_nodes(file_window& file, msh_format const& format,
                                               msh_place at, int rank, int num_ranks) {
  section_reader from(file, at, format.is_binary && format.is_4);
  auto const num_links = from.integers<1>({8}, "the number of periodic entities")[0];
  std::vector<joined_vertices> own;
  std::int64_t number = 0;
  for (std::int64_t link = 0; link < num_links; ++link) {
    from.integers<3>({4, 4, 4}, "a dimension, an entity and the one that it repeats");
    from.pass_map(format);
    auto const count = from.integers<1>({8}, "the number of pairs of nodes")[0];
    for (std::int64_t k = 0; k < count; ++k, ++number) {
      auto const [node, other] = from.integers<2>({8, 8}, "two nodes that are one");
      if (node < 1 || other < 1)
        from.refuse(fmt::format("nodes {} and {} (expected two from 1 on)", node, other));
      if (number % num_ranks == rank)
        own.push_back({node, other});
    }
  }
  return own;
}

} // namespace seam::detail
