/// The pages that say more about errors.
#pragma once

#include <string_view>

namespace seam::detail {

/// The page about the subject with which an error line begins, as "docs/steps.md" for "steps: ...".
/// Empty if no page says more.
/// Local.
std::string_view page_of(std::string_view line) noexcept;

} // namespace seam::detail
