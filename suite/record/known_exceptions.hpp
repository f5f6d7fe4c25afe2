#pragma once
#include "suite/record/reason.hpp"
