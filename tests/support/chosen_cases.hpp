/// Which cases of a test program run: those of the files that its arguments name.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seam::testing {

/// `--of exchange/halo/plan` chooses the cases of tests/exchange/halo/plan_test.cpp, of which those
/// are left out whose names begin with what `--except` says after it. Without `--of` all are chosen,
/// and `--except` may come first. Other arguments are kept for the main.
class chosen_cases {
public:
  explicit chosen_cases(std::span<char* const> arguments) {
    file everywhere;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      std::string_view const argument = arguments[i];
      if (argument == "--of" && i + 1 < arguments.size())
        files_.push_back({std::string("/") + arguments[++i] + "_test.cpp", {}});
      else if (argument == "--except" && i + 1 < arguments.size())
        (files_.empty() ? everywhere : files_.back()).left_out.emplace_back(arguments[++i]);
      else
        others_.push_back(arguments[i]);
    }
    all_ = files_.empty();
    if (all_)
      files_.push_back(everywhere);
  }

  /// True if all cases are chosen.
  bool all() const { return all_ && files_.front().left_out.empty(); }

  /// True if the case of this name in this source is chosen.
  bool contains(std::string_view source, std::string_view name) const {
    return std::ranges::any_of(files_, [&](file const& each) {
      return each.is(source) && std::ranges::none_of(each.left_out, [&](auto const& begin) {
               return name.starts_with(begin);
             });
    });
  }

  /// The end of a chosen source's path that none of these sources has; empty if there is none.
  std::string without_case(std::vector<std::string_view> const& sources) const {
    for (file const& each : files_)
      if (std::ranges::none_of(sources, [&](std::string_view source) { return each.is(source); }))
        return each.path;
    return {};
  }

  /// The arguments that choose nothing.
  std::vector<char*>& others() { return others_; }

private:
  struct file {
    std::string path; ///< how its source ends; empty: any
    std::vector<std::string> left_out;
    bool is(std::string_view source) const {
      return path.empty() || source.ends_with(path) || path.ends_with("/" + std::string(source));
    }
  };
  std::vector<file> files_;
  std::vector<char*> others_;
  bool all_ = true;
};

} // namespace seam::testing
