// For the .cpp files that convert structures to JSON and back.
#pragma once

#include "suite/record/json.hpp"

// Defines to_json and from_json of a structure from one list of its fields, so that none can be forgotten in
// one of the two.
#define BOTH_WAYS(type, ...)                                                   \
  void to_json(Json& nlohmann_json_j, const type& nlohmann_json_t) {           \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))   \
  }                                                                            \
  void from_json(const Json& nlohmann_json_j, type& nlohmann_json_t) {         \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__)) \
  }
