/// Permutations that are the same on all machines; std::shuffle does not say how it permutes.
#pragma once

#include <iterator>
#include <random>
#include <utility>

namespace guidelines {

/// Permutes a list as Fisher and Yates do.
template <class List>
void permute(List& list, std::mt19937_64 random) {
  for (auto left = std::ssize(list); left > 1; --left)
    std::swap(list[left - 1], list[random() % left]);
}

} // namespace guidelines
