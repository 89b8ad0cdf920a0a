/// The options of an analysis, which several words have.
#pragma once

#include "analysis/outcome.hpp"

namespace CLI {
class App;
}

namespace guidelines {

/// Adds the folder and the options; `cli` keeps a reference to `wanted`. Local.
void add_analysis_options(CLI::App& cli, analysis_options& wanted);

} // namespace guidelines
