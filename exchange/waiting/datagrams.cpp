#include <seam/exchange/waiting/datagrams.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace seam::detail {
namespace {

/// One value of each process of `world`.
template <class T>
std::vector<T> gathered(mpi::comm_view world, T const& own) {
  std::vector<T> all(world.size());
  mpi::check(MPI_Allgather(&own, static_cast<int>(sizeof(T)), MPI_BYTE, all.data(),
                           static_cast<int>(sizeof(T)), MPI_BYTE, world.native()),
             "MPI_Allgather");
  return all;
}

sockaddr const* as_address(sockaddr_in const& of) {
  return reinterpret_cast<sockaddr const*>(&of); // as the system's calls take it
}

} // namespace

datagrams::datagrams() : bell_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

datagrams::datagrams(mpi::comm_view world) : datagrams() {
  rank_ = world.rank();
  host_name own{};
  gethostname(own.data(), own.size() - 1);
  hosts_ = gathered(world, own);
  open(std::ranges::count(hosts_, own) == std::ssize(hosts_));
  sockaddr_in bound{};
  socklen_t length = sizeof bound;
  if (port_ >= 0)
    getsockname(port_, reinterpret_cast<sockaddr*>(&bound), &length);
  ports_ = gathered(world, bound.sin_port);
}

datagrams::~datagrams() {
  close(bell_);
  if (port_ >= 0)
    close(port_);
}

void datagrams::open(bool is_one_host) {
  sockaddr_in any_port{};
  any_port.sin_family = AF_INET;
  any_port.sin_addr.s_addr = htonl(is_one_host ? INADDR_LOOPBACK : INADDR_ANY);
  port_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (port_ >= 0 && bind(port_, as_address(any_port), sizeof any_port) != 0)
    close(std::exchange(port_, -1));
}

/// The address of a host, or 0.0.0.0, where no message arrives.
in_addr datagrams::address_of(host_name const& host) {
  if (host == hosts_[rank_])
    return {htonl(INADDR_LOOPBACK)};
  auto const [known, is_new] = hosts2addresses_.try_emplace(host.data(), in_addr{});
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  if (is_new && getaddrinfo(host.data(), nullptr, &hints, &found) == 0) {
    known->second = reinterpret_cast<sockaddr_in const*>(found->ai_addr)->sin_addr;
    freeaddrinfo(found);
  }
  return known->second;
}

void datagrams::send(std::span<std::byte const> message, int to) {
  if (port_ < 0 || to < 0 || to >= std::ssize(ports_) || ports_[to] == 0)
    return;
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = ports_[to];
  there.sin_addr = address_of(hosts_[to]);
  sendto(port_, message.data(), message.size(), 0, as_address(there), sizeof there);
}

bool datagrams::receive(std::span<std::byte> into) const {
  while (port_ >= 0) {
    auto const length = recv(port_, into.data(), into.size(), MSG_TRUNC);
    if (length < 0)
      return false;
    if (length == std::ssize(into))
      return true;
  }
  return false;
}

bool datagrams::wait(std::chrono::milliseconds limit) const {
  std::array<pollfd, 2> seen{{{bell_, POLLIN, 0}, {port_, POLLIN, 0}}};
  return poll(seen.data(), seen.size(), static_cast<int>(limit.count())) > 0 &&
         (seen[1].revents & POLLIN) != 0;
}

void datagrams::wake() const noexcept { eventfd_write(bell_, 1); }

} // namespace seam::detail
