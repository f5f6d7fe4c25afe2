#pragma once
#include "suite/record/rows.hpp"
