#pragma once
#include "suite/record/row_csv.hpp"
