#include "words/campaign_options.hpp"

#include "campaign/shipped_files.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace guidelines {
namespace {

void add_count(CLI::App& cli, char const* option, std::optional<int>& count, char const* help) {
  cli.add_option(option, count, help)->check(CLI::Range(1, 1'000'000, "COUNT"));
}

/// The campaign's text with the entries that options replace.
std::string text_of(path const& file, campaign_options const& wanted) {
  std::string text = read_file(file);
  if (!wanted.deployments.empty())
    text = with_entry(text, "deployments", fmt::format("{}", fmt::join(wanted.deployments, " ")));
  if (wanted.runs)
    text = with_entry(text, "runs", std::to_string(*wanted.runs));
  if (wanted.repetitions)
    text = with_entry(text, "repetitions", std::to_string(*wanted.repetitions));
  if (wanted.minutes)
    text = with_entry(text, "minutes", std::to_string(*wanted.minutes));
  return text;
}

} // namespace

void add_campaign_options(CLI::App& cli, campaign_options& wanted) {
  cli.add_option("campaign", wanted.campaign, "file, or name of one that comes with the program")
      ->required()
      ->type_name("CAMPAIGN");
  cli.add_option("--environment", wanted.environment, "file or name: how programs are started")
      ->type_name("ENVIRONMENT")
      ->capture_default_str();
  cli.add_option("--folder", wanted.folder, "of all files; named like the campaign unless told")
      ->type_name("FOLDER");
  cli.add_option("--deployments", wanted.deployments, "nodes x processes, in place of the file's")
      ->delimiter(',')
      ->type_name("NxP,...");
  add_count(cli, "--runs", wanted.runs, "in place of the file's");
  add_count(cli, "--repetitions", wanted.repetitions, "in place of the file's");
  add_count(cli, "--minutes", wanted.minutes, "in place of the file's");
}

campaign_folder open_or_generate(campaign_options const& wanted) {
  path const file = find_file(wanted.campaign, "campaigns");
  path const here = find_file(wanted.environment, "environments");
  std::string const text = text_of(file, wanted);
  std::string const folder =
      wanted.folder.empty() ? parse_campaign(text, file.string()).name : wanted.folder;
  return open_or_generate(folder, text, file.string(), read_file(here), here.string(),
                          program_path());
}

} // namespace guidelines
