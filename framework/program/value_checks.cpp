#include <seam/framework/program/value_checks.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace seam {

namespace {

/// The names of files with one of `suffixes`, without it. Local.
std::set<std::string> names_in(std::filesystem::path const& folder,
                               std::vector<std::string_view> const& suffixes) {
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(folder))
    if (std::ranges::find(suffixes, entry.path().extension()) != suffixes.end())
      names.insert(entry.path().stem().string());
  return names;
}

} // namespace

value_check name_ends_with(std::initializer_list<std::string_view> endings) {
  return [all = std::vector(endings)](std::string const& name) {
    auto const is_at_end = [&](std::string_view ending) { return name.ends_with(ending); };
    if (std::ranges::any_of(all, is_at_end))
      return std::string();
    return fmt::format("'{}' (expected a name that ends with {})", name, fmt::join(all, " or "));
  };
}

value_change input_by_name(std::string const& folder,
                           std::initializer_list<std::string_view> suffixes) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  auto const program = fs::read_symlink("/proc/self/exe", ignored);
  auto const inputs = program.parent_path().parent_path() / "share/seam" / folder;
  return [=, all = std::vector(suffixes)](std::string const& name) {
    std::error_code missing;
    bool const is_file = fs::exists(name, missing) && !fs::is_directory(name, missing);
    if (is_file || name.empty() || fs::path(name).has_parent_path())
      return name;
    if (auto const path = inputs / name; fs::is_regular_file(path, missing))
      return path.string();
    for (std::string_view const suffix : all)
      if (auto const path = inputs / (name + std::string(suffix));
          fs::is_regular_file(path, missing))
        return path.string();
    if (fs::is_directory(inputs, missing) && !fs::path(name).has_extension())
      throw usage_error(fmt::format("'{}' (expected a file, or one of {})", name,
                                    fmt::join(names_in(inputs, all), ", ")));
    return name;
  };
}

value_check is_read_by(std::function<void(std::string const& value)> parse) {
  return [read = std::move(parse)](std::string const& value) {
    try {
      read(value);
      return std::string();
    } catch (usage_error const& mistake) {
      return std::string(mistake.what());
    }
  };
}

template <class T>
std::optional<T> decimal(std::string_view text) {
  T number{};
  char const* const end = text.data() + text.size();
  auto const [behind, trouble] = std::from_chars(text.data(), end, number);
  return trouble == std::errc() && behind == end ? std::optional(number) : std::nullopt;
}

template std::optional<short> decimal(std::string_view);
template std::optional<int> decimal(std::string_view);
template std::optional<long> decimal(std::string_view);
template std::optional<long long> decimal(std::string_view);
template std::optional<unsigned short> decimal(std::string_view);
template std::optional<unsigned> decimal(std::string_view);
template std::optional<unsigned long> decimal(std::string_view);
template std::optional<unsigned long long> decimal(std::string_view);
template std::optional<float> decimal(std::string_view);
template std::optional<double> decimal(std::string_view);
template std::optional<long double> decimal(std::string_view);

} // namespace seam
