// Rows of an earlier version of this program, as today's version would name their points.
#pragma once

#include "suite/record/row_identity.hpp"

namespace dwarfsweep {

/// A row written before a dwarf had an axis, or its problem a key, lacks it. What the dwarf did then is the
/// axis' baseline and the key's preset: with these filled in, rows of two versions tell of the same point.
/// Rows of dwarfs or variants that this program does not know stay as they are.
class RowCompletion {
 public:
  void complete(RowIdentity& row);

 private:
  RowIdentity last_, completed_;  // rows of a point follow each other
};

}  // namespace dwarfsweep
