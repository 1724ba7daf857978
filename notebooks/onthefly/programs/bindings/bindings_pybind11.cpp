#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace py = pybind11;
using Array = py::array_t<double, py::array::c_style>;

void decay(const Array &x, Array &y)
{
    auto from = x.unchecked<1>();
    auto to = y.mutable_unchecked<1>();
    double level = 0;
    for (py::ssize_t k = 0; k < from.shape(0); k++) {
        level = 0.9 * level + 0.1 * from(k);
        to(k) = level;
    }
}

PYBIND11_MODULE(bindings_pybind11, module)
{
    module.def("decay", &decay, py::arg("x").noconvert(),
               py::arg("y").noconvert());
}
