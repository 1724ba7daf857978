"""How a network is converted for LiteRT, in which numbers."""


def converter(function, kind, examples=None):
    """Return TensorFlow's converter, set.

    function  a concrete function
    kind      "float32"; "float16", of the weights; "weights", these as 8-bit
              integers; "int8", the calculations, too; "int16x8", with
              activations of 16 bits
    examples  images that stand for those to come: "int8" and "int16x8" take
              the ranges of their activations from these
    """
    from onthefly.tools.quiet_tensorflow import tf

    lite = tf.lite
    made = lite.TFLiteConverter.from_concrete_functions([function], function)
    if kind != "float32":
        made.optimizations = [lite.Optimize.DEFAULT]
    if kind == "float16":
        made.target_spec.supported_types = [tf.float16]
    if kind in ("int8", "int16x8"):
        made.representative_dataset = lambda: ([x[None]] for x in examples)
        ops = "TFLITE_BUILTINS_INT8"
        if kind == "int16x8":
            ops = (
                "EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8"
            )
        made.target_spec.supported_ops = [getattr(lite.OpsSet, ops)]
    return made
