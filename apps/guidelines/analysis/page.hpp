/// The page of a campaign: tables and pictures in one file of HTML.
#pragma once

#include "analysis/outcome.hpp"

namespace guidelines {

/// Writes report.html, which a browser shows without any other file, and report.md. The pictures
/// are those of plots/contact.html, if they have been drawn.
void write_page(outcome const& of);

} // namespace guidelines
