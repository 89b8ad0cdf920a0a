/// The options that say which campaign is made where.
#pragma once

#include "campaign/folder.hpp"

#include <optional>

namespace CLI {
class App;
}

namespace guidelines {

struct campaign_options {
  std::string campaign, environment = "local", folder;
  std::vector<std::string> deployments; ///< in place of the file's
  std::optional<int> runs, repetitions, minutes;
};

/// Adds the options; `cli` keeps a reference to `wanted`. Local.
void add_campaign_options(CLI::App& cli, campaign_options& wanted);

/// Opens the campaign's folder, or generates it.
/// @throws usage_error  as open_or_generate() of folder.hpp; there is no such file
campaign_folder open_or_generate(campaign_options const& wanted);

} // namespace guidelines
