/// The graph of some steps for Graphviz: which kernel reads what which one has written, and what travels.
#pragma once

#include <seam/exchange/steps/flow/step_dataflow.hpp>

#include <string>

namespace seam::detail {

/// A directed graph in Graphviz' language: a box for each kernel in each step, an ellipse for values that
/// travel to other ranks together, a hexagon for each number that all ranks know; an edge for each field
/// that one hands on to another.
/// Local. The same on all ranks.
std::string graph_in_dot(step_dataflow const& flow);

} // namespace seam::detail
