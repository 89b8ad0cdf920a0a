/// Datagrams between the processes of a job, beside MPI: a thread sends and receives them at every
/// thread level, whatever others of its process do.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <netinet/in.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace seam::detail {

/// One port of this process. A datagram may be lost; where the system allows none, all are. On one
/// host they stay in it.
/// Threads: one at a time; wake() any.
class datagrams {
public:
  /// Reaches no process: only wait() and wake().
  datagrams();

  /// Collective: over all processes of `world`.
  explicit datagrams(mpi::comm_view world);
  datagrams(datagrams const&) = delete;
  datagrams& operator=(datagrams const&) = delete;
  ~datagrams();

  bool reaches_others() const noexcept { return port_ >= 0; }

  void send(std::span<std::byte const> message, int to);

  /// Writes the next message of `into.size()` bytes to `into`; false if none has come.
  bool receive(std::span<std::byte> into) const;

  /// Returns when a message has come or wake() is called, at the latest after `limit`; true if a
  /// message has come.
  bool wait(std::chrono::milliseconds limit) const;
  void wake() const noexcept;

private:
  using host_name = std::array<char, 64>;

  void open(bool is_one_host);
  in_addr address_of(host_name const& host);

  int bell_, port_ = -1; ///< file descriptors
  int rank_ = 0;
  std::vector<host_name> hosts_;     ///< [ranks]
  std::vector<std::uint16_t> ports_; ///< [ranks] in the byte order of the network; 0: none
  std::map<std::string, in_addr> hosts2addresses_;
};

} // namespace seam::detail
