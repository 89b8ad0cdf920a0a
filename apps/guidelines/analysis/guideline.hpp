/// Performance guidelines: a call that shall not be slower than another way to the same effect.
///
///     guideline GL4 setup=Neighbor_allgather <= setup=Neighbor_alltoall
///     guideline GL10 constructor=Dist_graph_create_adjacent ~ constructor=Dist_graph_create
///     guideline OV1 setup=Ialltoall <= setup=Alltoall work=0 + setup=Work
///     guideline OV2 setup=Ialltoall <= setup=Alltoall work=0 max setup=Work
///
/// The left side names levels of an experiment. A term on the right is the same experiment with
/// other levels; columns that do not apply to it fall away. The time of several terms is their sum
/// or the largest. "~" stands for two guidelines, one in each direction, and "A|B" for two levels,
/// each in a guideline of its own; "A*" on the left for all levels that begin with A, in one.
/// Source: [Luebbe2017] secs. 2 and 3.2.
#pragma once

#include "experiments/csv.hpp"
#include "experiments/experiment.hpp"

#include <map>
#include <vector>

namespace guidelines {

/// Some columns with their levels.
using some_levels = std::map<column, std::string>;

/// The time of several terms.
enum class joining { sum, maximum };

/// One guideline, whose left side shall take at most about as long as its right side.
struct guideline {
  std::string name; ///< "GL4"
  some_levels left;
  std::vector<some_levels> right; ///< at least one
  joining how = joining::sum;     ///< of the right side's terms
  text_place place;               ///< that errors name

  /// The guideline as text: "Neighbor_allgather <= Neighbor_alltoall".
  std::string in_words() const;
};

/// Reads the words of one line, behind the word "guideline".
/// @param line  place of the line
/// @throws usage_error  a column or level is unknown, or the line is malformed
/// Local.
std::vector<guideline> parse_guideline(std::vector<placed_word> const& words,
                                       text_place const& line);

/// Reads the lines of a file that begin with "guideline"; others are not looked at.
/// @throws usage_error  as parse_guideline(); there are none
std::vector<guideline> parse_guidelines(std::string_view text, std::string const& name);

/// True if a level on the left stands for all that begin with it: "Seam_*".
bool is_pattern(std::string const& level);

/// True if an experiment has these levels.
bool has_levels(levels const& experiment, some_levels const& wanted);

/// The experiment with other levels, without those that do not apply to it then.
levels with_levels(levels experiment, some_levels const& other);

} // namespace guidelines
