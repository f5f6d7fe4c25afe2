// The test program. Catch2 runs what is selected; see tests/README.md for the tags.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.hpp"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
