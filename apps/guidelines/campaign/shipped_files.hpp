/// Files that come with the program: campaigns, environments, and the script that draws.
#pragma once

#include "campaign/folder.hpp"

#include <vector>

namespace guidelines {

/// The path of this program.
path program_path();

/// A file given by its path or, without a suffix, by the name of one that comes with the program.
/// @param folder  "campaigns" or "environments"
/// @throws usage_error  there is none; the line lists the names
path find_file(std::string const& wanted, std::string const& folder);

/// The folder of the files that come with the program, where it was built or installed.
/// @throws usage_error  there is none
path shipped_files();

} // namespace guidelines
