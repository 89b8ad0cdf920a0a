#include "words/drawing_options.hpp"

#include <CLI/CLI.hpp>

namespace guidelines {

void add_drawing_options(CLI::App& cli, drawing_options& wanted) {
  cli.add_option("--format", wanted.format, "of pictures: svg or png")
      ->check(CLI::IsMember({"svg", "png"}))
      ->capture_default_str();
  cli.add_option("--python", wanted.python, "the interpreter; Debian's, or python3, unless told")
      ->type_name("PROGRAM");
}

} // namespace guidelines
