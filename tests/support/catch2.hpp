/// Catch2, version 2 or 3, whose matchers of strings have the names of version 2 here.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>

#include <string>

namespace Catch {

using Matchers::EndsWith;
using Matchers::StartsWith;

/// Version 3 has this name for a matcher of elements.
inline auto Contains(std::string const& part) { return Matchers::ContainsSubstring(part); }

} // namespace Catch

using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
