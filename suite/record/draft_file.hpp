#pragma once
#include "suite/record/stored_file.hpp"
