#include "lse_base.hpp"

double lse_factor(Rows& rows) {
  const double ln2 = std::log(2.0);
  std::vector<double> left = {1, 1 / ln2, ln2};  // what no row has contradicted yet
  int agreed = 0;                                // rows since there is one left
  for (long long i = 0; i < rows.size() && agreed < 3; ++i) {
    std::vector<double> still;
    for (const double factor : left) {
      if (std::fabs(rows.found(i) - factor * rows.right(i)) < 0.1) still.push_back(factor);
    }
    left = still;
    if (left.empty()) return 0;
    if (left.size() == 1) ++agreed;
  }
  return left.front();
}
