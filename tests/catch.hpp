// Catch2 by either of its names: version 2 (Debian 12) is one header, version 3 (Ubuntu 24.04) several.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
