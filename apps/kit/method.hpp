/// Methods that benchmarks compare: each has a class of its own, planned for one problem.
#pragma once

namespace bench {

/// A method, which is not copied: calls of MPI keep addresses of its members.
class method {
public:
  method() = default;
  method(method const&) = delete;
  method& operator=(method const&) = delete;
  virtual ~method() = default;
};

} // namespace bench
