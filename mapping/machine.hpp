/// The machine as a tree: nodes, packages, NUMA domains, caches, cores, places for processes.
///
///     machine const cluster = parse_machine("node:50 core:48");
///     cluster.num_places();                                        // 2400
///     parse_machine("node:3 core:4,4,8").nodes().size_of(2);       // 8
///
/// A synthetic machine is for planning where there is none; placement.hpp gathers the real one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seam {

/// One level of the tree: a division of all places into consecutive parts.
struct machine_level {
  std::string name;              ///< node, package, numa, l3, core or rank
  std::vector<int> parts2firsts; ///< [num_parts + 1], the first place of each part, and their end

  int num_parts() const noexcept { return std::ssize(parts2firsts) - 1; }
  int size_of(int part) const { return parts2firsts[part + 1] - parts2firsts[part]; }

  /// For each place its part. [num_places]
  std::vector<int> places2parts() const;

  friend bool operator==(machine_level const& a, machine_level const& b);
};

/// Levels from the nodes down to places for one process each. An immutable value.
///
/// Places are numbered so that every part of every level is a range:
///
///     node      0                 1
///     package   0        1        2
///     core      0  1     2  3     4  5  6
///     place     0  1     2  3     4  5  6
class machine {
public:
  /// @param levels  the outermost first; each divides the parts of the one before, the last one has
  ///                a part for each place
  /// @throws usage_error  a level does not divide the one before it
  explicit machine(std::vector<machine_level> levels);

  int num_places() const noexcept { return levels_.front().parts2firsts.back(); }

  /// The outermost first, and the places themselves last.
  std::span<machine_level const> levels() const noexcept;

  machine_level const& nodes() const noexcept { return levels_.front(); }

  /// The part of the machine with the first `count` places.
  /// @throws usage_error  the machine has fewer places
  machine first_places(int count) const;

  friend bool operator==(machine const& a, machine const& b);

private:
  std::vector<machine_level> levels_;
};

/// Reads a synthetic machine: levels with the number of their parts in each part of the level
/// before, as one number for all or as a list with one for each, where 48*100 stands for a hundred
/// times 48. The last level's parts are the places.
///
///     "node:4 package:2 core:12"     "node:3 core:4,4,8"     "node:101 core:48*100,28"
///
/// @throws usage_error  the text is no such list, or there are more than 2^24 places
/// Local.
machine parse_machine(std::string_view text);

/// The text from which parse_machine() makes this machine.
std::string to_string(machine const& cluster);

} // namespace seam
