#pragma once
#include "suite/record/record.hpp"
