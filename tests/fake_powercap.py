"""A folder in the place of Linux's powercap whose counter says that the CPU takes 50 W."""
import os
import threading
import time

WATTS = 50


class FakePowercap:
    """A package whose counter moves every 20 ms and wraps around at 10 J, as long as the block lasts."""
    RANGE_UJ = 10_000_000

    def __init__(self, folder):
        self.zone = folder / "powercap" / "intel-rapl:0"
        self.zone.mkdir(parents=True, exist_ok=True)
        (self.zone / "name").write_text("package-0\n")
        (self.zone / "max_energy_range_uj").write_text(f"{self.RANGE_UJ}\n")
        self.count(0)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def count(self, joules):
        # The system's file is never seen half written.
        (self.zone / "new").write_text(f"{int(joules * 1e6) % self.RANGE_UJ}\n")
        os.replace(self.zone / "new", self.zone / "energy_uj")

    def run(self):
        begin = time.monotonic()
        while not self.ended.wait(0.02):
            self.count(WATTS * (time.monotonic() - begin))

    def __enter__(self):
        self.thread.start()
        return str(self.zone.parent)

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
