/// Groups: names of tags.
#pragma once

#include <seam/mesh/input/mesh_input.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seam::detail {

/// The tag of the group of a name, or the number that the text is.
/// @param dimension  of the group's entities; -1: any
/// @throws usage_error  no group has the name, or several have it for different tags
/// Local.
std::int32_t tag_of_group(std::span<mesh_group const> groups, std::string_view name, int dimension);

/// Groups as files have them, a line for each: "1 3 wall". Lines of another form are left out.
/// Local.
std::string lines_of_groups(std::span<mesh_group const> groups);
std::vector<mesh_group> groups_of_lines(std::string_view lines);

/// The name of an attribute with a part of the lines: "Groups", "Groups 1", ... Local.
std::string attribute_of_groups(std::size_t part);

} // namespace seam::detail
