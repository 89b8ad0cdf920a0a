#include <seam/exchange/sparse/node_memory.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

namespace seam::detail {
namespace {

[[noreturn]] void refuse_memory(char const* call, int problem, std::size_t size) {
  refuse(
      fmt::format("node memory: {} failed: {} (expected {} bytes of memory that processes share)",
                  call, std::system_category().message(problem), size));
}

/// An open file.
class descriptor {
public:
  descriptor(std::string const& name, int flags) : number_(shm_open(name.c_str(), flags, 0600)) {}
  descriptor(descriptor const&) = delete;
  descriptor& operator=(descriptor const&) = delete;
  ~descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }
  int number() const noexcept { return number_; }

private:
  int number_;
};

/// Memory that other processes can open by its name, as long as this object lives.
class named_memory {
public:
  explicit named_memory(std::size_t size) {
    static std::atomic<int> num_names = 0;
    std::string const wanted = fmt::format("/seam-{}-{}", getpid(), num_names++);
    descriptor const file(wanted, O_CREAT | O_EXCL | O_RDWR);
    if (file.number() < 0)
      refuse_memory("shm_open", errno, size);
    name_ = wanted;
    // Not ftruncate, which succeeds although there may be no memory.
    if (int const problem = posix_fallocate(file.number(), 0, static_cast<off_t>(size));
        problem != 0) {
      shm_unlink(name_.c_str());
      refuse_memory("posix_fallocate", problem, size);
    }
  }
  named_memory(named_memory&& other) noexcept : name_(std::exchange(other.name_, {})) {}
  named_memory& operator=(named_memory&&) = delete;
  ~named_memory() {
    if (!name_.empty())
      shm_unlink(name_.c_str());
  }
  std::string const& name() const noexcept { return name_; }

private:
  std::string name_;
};

std::byte* map(std::string const& name, std::size_t size) {
  descriptor const file(name, O_RDWR);
  if (file.number() < 0)
    refuse_memory("shm_open", errno, size);
  void* const data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (data == MAP_FAILED)
    refuse_memory("mmap", errno, size);
  return static_cast<std::byte*>(data);
}

} // namespace

node_memory::node_memory(mpi::comm_view node, std::size_t size) : size_(size) {
  auto const created = collectively(node, [&] {
    return node.rank() == 0 ? std::optional<named_memory>(size) : std::nullopt;
  });
  std::string name = created ? created->name() : "";
  mpi::bcast(node, name, 0);
  data_ = collectively(node, [&] { return map(name, size); });
}

node_memory::~node_memory() { munmap(data_, size_); }

} // namespace seam::detail
