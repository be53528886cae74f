#include <utility>

#include "engine/figure/inside/inside_figure.h"

namespace headlight {
namespace {

InsidePictures::Picture picture(Matrix values) {
  const Index rows = values.rows(), columns = values.cols();
  return rows == 0 || columns == 0 ? nullptr : std::make_shared<const MapPicture>(std::move(values), 1, rows, columns, nullptr, true);
}
InsidePictures::Picture column(const RowVector& values) {
  return picture(values.transpose());
}

}  // namespace

std::shared_ptr<const InsidePictures> make_inside_pictures(const Inside& inside) {
  const InsideQuery& asking = inside.asking;
  const InsideOutput& output = inside.output;
  auto pictures = std::make_shared<InsidePictures>();
  pictures->x = picture(asking.x);
  pictures->w_q = picture(asking.w_q.transpose());
  pictures->plain = picture(asking.plain);
  pictures->q = picture(asking.q);
  pictures->plain_column = column(asking.plain);
  pictures->q_column = column(asking.q);
  pictures->k = picture(inside.k);
  pictures->terms = picture(inside.terms);
  pictures->v = picture(inside.v);
  pictures->weighted = picture(inside.weighted);
  pictures->z = picture(inside.z);
  pictures->all_z = picture(output.z);
  pictures->w_o = picture(output.w_o.transpose());
  pictures->is_w_o_of_head = output.w_o.rows() < output.z.size();
  pictures->output = column(output.output);
  pictures->masked = std::make_shared<const MapPicture>(Matrix::Zero(1, 1), 1, 1, 1, std::make_shared<const Mask>(1, 1, false), false);
  pictures->stream = column(output.stream);
  pictures->sum = column(output.sum);
  return pictures;
}

}  // namespace headlight
