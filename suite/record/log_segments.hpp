#pragma once
#include "suite/record/run_log.hpp"
