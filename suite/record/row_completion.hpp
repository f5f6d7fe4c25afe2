#pragma once
#include "suite/record/run_rows.hpp"
