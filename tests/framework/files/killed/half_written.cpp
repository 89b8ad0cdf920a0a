// Writes u.txt into the folder that is its first argument, with half of it written before it kills
// itself if it is told to "die"; then says how many files are there.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/program/print.hpp>
#include <seam/framework/program/runtime.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  std::filesystem::path const folder = argv[1];
  bool const dies = argc > 2 && std::string_view(argv[2]) == "die";

  seam::output_file file(runtime, folder / "u.txt");
  if (runtime.rank() == 0)
    std::ofstream(file.temporary()) << (dies ? "half" : "all of it");
  seam::mpi::barrier(runtime);
  if (dies)
    std::raise(SIGKILL);
  file.commit();

  std::string content;
  std::ifstream(folder / "u.txt") >> content;
  std::filesystem::directory_iterator const begin(folder), end;
  seam::print(runtime, "{} files, of which u.txt begins with '{}'\n", std::distance(begin, end),
              content);
}
