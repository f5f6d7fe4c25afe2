#pragma once
#include "suite/record/host_info.hpp"
