#include <seam/framework/files/file_series.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/output_file.hpp>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <system_error>

namespace seam {
using namespace detail;

namespace {

/// A text in JSON.
std::string in_json(std::string_view text) {
  std::string all = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\')
      all += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      all += fmt::format("\\u{:04x}", c);
    else
      all += c;
  }
  return all + '"';
}

std::string name_of(std::string const& file) {
  return std::filesystem::path(file).filename().string();
}

} // namespace

file_series::file_series(mpi::comm_view over, std::string const& path)
    : over_(over), path_(path + ".series") {
  detail::call_scope const here("file_series");
  require_writable(over_, path_);
}

void file_series::add(std::string const& file, double time) {
  if (!std::isfinite(time))
    throw usage_error(fmt::format("series: time {} of '{}' (expected a finite number)", time, file),
                      true);
  files_.emplace_back(name_of(file), time);
  std::string text;
  for (auto const& [name, its_time] : files_)
    text += fmt::format("{}\n{{\"name\":{},\"time\":{}}}", text.empty() ? "" : ",", in_json(name),
                        its_time);
  write_text(over_, fmt::format("{{\"file-series-version\":\"1.0\",\"files\":[{}\n]}}\n", text),
             path_);
}

void file_series::add_older(std::string const& file, double time) {
  std::error_code trouble;
  if (over_.rank() == 0 && std::filesystem::exists(file, trouble))
    files_.emplace_back(name_of(file), time);
}

} // namespace seam
