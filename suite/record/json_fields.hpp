#pragma once
#include "suite/record/json.hpp"
