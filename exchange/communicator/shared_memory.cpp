#include <seam/exchange/communicator/shared_memory.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/free_memory.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/setting.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <new>
#include <string_view>

#include <sys/mman.h>

namespace seam {
using namespace detail;

namespace {

constinit detail::on_off_setting shared_memory("SEAM_SHARED_MEMORY", true);

constexpr int unknown = -1;
constinit std::atomic<int> most_ranks = unknown;

int first_node_size() {
  char const* const text = std::getenv("SEAM_NODE_SIZE");
  if (text == nullptr)
    return 0;
  std::string_view const value = text;
  int ranks = 0;
  auto const [end, problem] = std::from_chars(value.data(), value.data() + value.size(), ranks);
  if (problem != std::errc() || end != value.data() + value.size() || ranks < 1)
    refuse(fmt::format("SEAM_NODE_SIZE '{}' (expected a number of ranks from 1 on)", value));
  return ranks;
}

/// Memory from this size on begins on a large page, and gets large ones where the system gives them
/// to programs that ask: sweeps over it look up fewer pages. [bytes]
constexpr std::int64_t large = std::int64_t{4} << 20, large_page = std::int64_t{2} << 20;

std::shared_ptr<std::byte> allocate_privately(std::int64_t bytes) {
  auto const alignment = static_cast<std::align_val_t>(bytes < large ? cache_line : large_page);
  std::shared_ptr<std::byte> memory(static_cast<std::byte*>(::operator new(bytes, alignment)),
                                    [alignment](std::byte* first) {
                                      ::operator delete(first, alignment);
                                    });
#ifdef MADV_HUGEPAGE
  if (bytes >= large)
    madvise(memory.get(), bytes, MADV_HUGEPAGE); // where it is refused, pages are small
#endif
  return memory;
}

} // namespace

bool shared_memory_is_on() { return shared_memory.is_on(); }
void set_shared_memory(bool on) noexcept { shared_memory.set(on); }

int node_size() {
  int ranks = most_ranks.load(std::memory_order_relaxed);
  if (ranks == unknown) {
    ranks = first_node_size();
    most_ranks.store(ranks, std::memory_order_relaxed);
  }
  return ranks;
}

void set_node_size(int ranks) noexcept { most_ranks.store(ranks); }

std::shared_ptr<std::byte> detail::allocate_bytes(Communicator const& over, std::int64_t bytes) {
  call_scope const here("allocate", *over.calls());
  collectively(over.context(), [&] {
    if (bytes < 0)
      refuse(fmt::format("allocate: {} bytes (expected 0 or more)", bytes));
  });
  require_memory(over.context(), static_cast<double>(bytes), "allocate");
  std::shared_ptr<std::byte> memory;
  bool const has_other_side = over.topology().is_bipartite();
  if (shared_memory_is_on() && !has_other_side && !over.node().is_alone())
    memory = over.node().memory().allocate(bytes);
  collectively(over.context(), [&] {
    if (memory == nullptr)
      memory = allocate_privately(bytes);
  });
  return memory;
}

} // namespace seam
