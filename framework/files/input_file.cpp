#include <seam/framework/files/input_file.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace seam {
using namespace detail;

namespace {

struct file_deleter {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using file_handle = std::unique_ptr<std::FILE, file_deleter>;

[[noreturn]] void refuse_input(std::string const& path) {
  refuse(fmt::format("input: cannot read '{}': {}", path, std::generic_category().message(errno)));
}

std::string read_here(std::string const& path) {
  file_handle const file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr)
    refuse_input(path);
  std::string text;
  std::array<char, 65536> part;
  while (std::size_t const count = std::fread(part.data(), 1, part.size(), file.get()))
    text.append(part.data(), count);
  if (std::ferror(file.get()) != 0)
    refuse_input(path);
  return text;
}

} // namespace

std::string read_text(mpi::comm_view over, std::string const& path) {
  detail::call_scope const here("read_text");
  std::string text =
      collectively(over, [&] { return over.rank() == 0 ? read_here(path) : std::string(); });
  mpi::bcast(over, text, 0);
  return text;
}

} // namespace seam
