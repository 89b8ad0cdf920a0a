/// Files and folders of tests.
#pragma once

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/communicator.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace seam::testing {

/// An empty folder that all ranks may use, made by rank 0.
/// Collective: over `over`.
inline std::filesystem::path fresh_folder(Communicator const& over, char const* name) {
  mpi::barrier(over); // no rank reads an older one any more
  if (over.rank() == 0) {
    std::filesystem::remove_all(name);
    std::filesystem::create_directory(name);
  }
  mpi::barrier(over);
  return name;
}

inline std::string content_of(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(std::filesystem::path const& path, std::string const& content) {
  std::ofstream(path, std::ios::binary) << content;
}

} // namespace seam::testing
