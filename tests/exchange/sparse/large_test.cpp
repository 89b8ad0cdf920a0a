// Messages of more bytes than an int counts, where there is memory for them.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fstream>
#include <limits>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr std::int64_t gibibyte = std::int64_t{1} << 30, needed = 24 * gibibyte;
constexpr std::int64_t length = 2 * gibibyte + gibibyte / 16;

/// Free memory of the host. [bytes]
std::int64_t memory_left() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  while (file >> name >> kibibytes && name != "MemAvailable:")
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  return name == "MemAvailable:" ? kibibytes * 1024 : 0;
}

std::byte content(std::int64_t at) { return static_cast<std::byte>(at / 1000 % 251); }

} // namespace

TEST_CASE("a message above 2 GiB arrives") {
  auto const world = testing::world();
  if (mpi::allreduce(world, memory_left(), MPI_MIN) < needed) {
    WARN("skipped: there is less memory free than 24 GiB");
    return;
  }
  int const last = world.size() - 1;
  SparseExchange exchange(world, {.algorithm = sparse_algorithm::consensus});
  if (world.rank() == 0) {
    std::vector<std::byte> bytes(length);
    for (std::int64_t at = 0; at < length; at += 1000)
      bytes[at] = content(at);
    exchange.pack_bytes(last, bytes);
  }
  exchange.exchange();
  if (world.rank() == last) {
    REQUIRE(exchange.receive_message());
    REQUIRE(exchange.bytes_left() == length);
    auto const bytes = exchange.unpack_bytes(length);
    std::int64_t num_wrong = 0;
    for (std::int64_t at = 0; at < length; at += 1000)
      num_wrong += bytes[at] != content(at);
    CHECK(num_wrong == 0);
  }
  CHECK_FALSE(exchange.receive_message());
}
