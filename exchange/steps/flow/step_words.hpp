/// Steps in words: programs, which ranks compare, and plans, which users read, in lines or as a graph.
#pragma once

#include <seam/exchange/steps/flow/step_graph.hpp>
#include <seam/exchange/steps/program/step_program.hpp>

#include <string>

namespace seam::detail {

/// All that has to be the same on all ranks, in one line.
/// Local.
std::string declarations_in_words(step_program const& program);

/// A line for each statement, and one for each field with its ghosts and buffers.
/// Local.
std::string plan_in_words(step_program const& program);

/// One line: what a rank sends and computes in the steps of a graph, and what overlaps.
/// Local.
std::string graph_in_words(step_graph const& graph, step_range const& steps, int rank);

/// A directed graph in Graphviz' language: a box for each kernel in each step, an ellipse for values that
/// travel to other ranks together, a hexagon for each number that all ranks know; an edge for each field
/// that one hands on to another.
/// Local. The same on all ranks.
std::string graph_in_dot(step_dataflow const& flow);

} // namespace seam::detail
