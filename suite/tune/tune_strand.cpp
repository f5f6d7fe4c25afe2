#include "suite/tune/tune_strand.hpp"

#include <stdexcept>

namespace dwarfsweep {

void TuneStrand::search(SearchGroup& searched, const SearchShare& share) {
  SweepGroup& group = searched.group();
  DeviceClient& client = devices_.client_of(group.device);
  shared_.progress.set_remark("");
  if (const auto problem = devices_.open(client)) {
    for (SweepPoint& point : group.points)
      shared_.outcomes.lose(point, problem->status, "opening the device: " + problem->reason);
    return;
  }
  builds_.enter_unplanned(group);
  DeviceSearch(context_, shared_.log, client, searched, share).run();
  // The next search has other data. A worker that cannot even forget is ended.
  try {
    (void)client.ask(DropAll{}, shared_.options.point_timeout);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    client.stop();
  }
}

void TuneStrand::end() {
  builds_.end();
  devices_.close();
}

}  // namespace dwarfsweep
