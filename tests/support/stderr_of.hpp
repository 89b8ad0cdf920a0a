/// The stderr of a part of a test.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <thread>

namespace seam::testing {

/// The text that this process prints on stderr while `act` runs. Local.
template <class Act>
std::string stderr_of(Act act) {
  std::FILE* const file = std::tmpfile();
  int const kept = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  act();
  std::fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  std::rewind(file);
  std::string text;
  for (std::array<char, 256> part{}; std::fgets(part.data(), int(part.size()), file) != nullptr;)
    text += part.data();
  std::fclose(file);
  return text;
}

/// Waits, within `act` of stderr_of, until this process has printed something. Local; any thread.
inline void wait_for_stderr() {
  struct stat file {};
  while (fstat(STDERR_FILENO, &file) == 0 && file.st_size == 0)
    std::this_thread::yield();
}

} // namespace seam::testing
