use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

#[pyfunction]
fn decay(py: Python, x: PyBuffer<f64>, y: PyBuffer<f64>) -> PyResult<()> {
    let (Some(from), Some(to)) = (x.as_slice(py), y.as_mut_slice(py)) else {
        return Err(PyValueError::new_err("one piece of memory each"));
    };
    let mut level = 0.0;
    for (value, result) in from.iter().zip(to) {
        level = 0.9 * level + 0.1 * value.get();
        result.set(level);
    }
    Ok(())
}

#[pymodule]
fn bindings_rust(_py: Python, module: &PyModule) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(decay, module)?)
}
