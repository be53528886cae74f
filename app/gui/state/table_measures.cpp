#include "app/gui/state/table_measures.h"

#include "engine/core/error.h"
#include "engine/measures/measure_request.h"

namespace headlight {

std::vector<std::string> measures_in_table(const MeasuresPage& page) {
  if (!page.columns.empty()) return page.columns;
  std::vector<std::string> ids;
  for (const MeasureRequest& request : measure_requests(kUsualMeasures, "measures")) ids.push_back(request.id);
  return ids;
}

bool is_measure(const std::string& id) {
  try {
    measure_request(id, "measure");
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace headlight
