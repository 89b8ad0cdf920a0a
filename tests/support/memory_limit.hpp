/// Processes that may take hardly more memory, as below ulimit -v.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace seam::testing {

/// Lets this process take so many more bytes of address space only, as long as it lives.
class memory_limit {
public:
  explicit memory_limit(rlim_t more_bytes) {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit const wanted{address_space() + more_bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_AS, &wanted);
  }
  memory_limit(memory_limit const&) = delete;
  memory_limit& operator=(memory_limit const&) = delete;
  ~memory_limit() { ::setrlimit(RLIMIT_AS, &before_); }

private:
  /// [bytes]
  static rlim_t address_space() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  }

  rlimit before_{};
};

} // namespace seam::testing
