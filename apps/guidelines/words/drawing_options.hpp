/// The options of drawing, which several words have.
#pragma once

#include "campaign/drawing.hpp"

namespace CLI {
class App;
}

namespace guidelines {

/// Adds the options; `cli` keeps a reference to `wanted`. Local.
void add_drawing_options(CLI::App& cli, drawing_options& wanted);

} // namespace guidelines
