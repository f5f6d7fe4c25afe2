"""`python3 -m dwarfsweep` is `dwarfsweep`."""

from dwarfsweep import main

main()
