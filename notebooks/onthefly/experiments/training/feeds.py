"""Files of three kinds and small images, made on the spot, and read again."""

import numpy as np

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
SIZE = [28, 28]  # of the images on the slide
FEATURE = {"number": tf.io.FixedLenFeature([], tf.float32)}


def write_text(path, numbers):
    """Write a line for each number."""
    path.write_text("".join(f"{number!r}\n" for number in numbers.tolist()))


def write_fixed(path, numbers):
    """Write four bytes for each number, of float32."""
    numbers.tofile(path)


def write_records(path, numbers):
    """Write a TFRecord for each number: a message tf.train.Example."""
    with tf.io.TFRecordWriter(str(path)) as writer:
        for number in numbers.tolist():
            value = tf.train.Feature(
                float_list=tf.train.FloatList(value=[number])
            )
            features = tf.train.Features(feature={"number": value})
            example = tf.train.Example(features=features)
            writer.write(example.SerializeToString())


def text(path):
    """Return the Dataset of a file that `write_text` made."""
    lines = tf.data.TextLineDataset(str(path))
    return lines.map(tf.strings.to_number)


def fixed(path):
    """Return the Dataset of a file that `write_fixed` made."""
    records = tf.data.FixedLengthRecordDataset(str(path), record_bytes=4)
    return records.map(lambda r: tf.io.decode_raw(r, tf.float32)[0])


def records(path):
    """Return the Dataset of a file that `write_records` made."""
    messages = tf.data.TFRecordDataset(str(path))
    return messages.map(
        lambda m: tf.io.parse_single_example(m, FEATURE)["number"]
    )


KINDS = {
    "TextLineDataset": (write_text, text),
    "TFRecordDataset": (write_records, records),
    "FixedLengthRecordDataset": (write_fixed, fixed),
}


def numbers_of(dataset):
    """Return a Dataset's numbers as an array, by Python's iteration."""
    return np.array([*dataset.as_numpy_iterator()])


def by_an_iterator(path):
    """Return the numbers of a text, as in 2017: an iterator in a Session."""
    rows = []
    with tf.Graph().as_default(), v1.Session() as session:
        following = v1.data.make_one_shot_iterator(text(path)).get_next()
        while True:
            try:
                rows.append(session.run(following))
            except tf.errors.OutOfRangeError:
                return np.array(rows)


def write_images(folder, count, seed=0):
    """Write so many JPEG images of soft colours; return their paths."""
    rng = np.random.default_rng(seed)
    paths = []
    for k in range(count):
        soft = tf.image.resize(rng.uniform(0, 255, (12, 16, 3)), [240, 320])
        data = tf.io.encode_jpeg(tf.cast(soft, tf.uint8))
        paths.append(folder / f"image{k}.jpg")
        paths[-1].write_bytes(data.numpy())
    return [str(path) for path in paths]


def parse_printed(filename, label):
    """Read, decode and resize as the slide prints it, its names renewed."""
    image_string = tf.io.read_file(filename)
    image_decoded = tf.image.decode_image(image_string)
    image_resized = tf.image.resize(image_decoded, SIZE)
    return image_resized, label


def parse_then(filename, label):
    """Read, decode and resize with the slide's own names, of version 1."""
    image_string = v1.read_file(filename)
    image_decoded = v1.image.decode_image(image_string)
    image_resized = v1.image.resize_images(image_decoded, SIZE)
    return image_resized, label


def parse(filename, label):
    """Read, decode and resize what is no animation."""
    image_string = tf.io.read_file(filename)
    image_decoded = tf.image.decode_image(
        image_string, channels=3, expand_animations=False
    )
    return tf.image.resize(image_decoded, SIZE), label


def refusal(function, *arguments, **options):
    """Return the last line of the error that a call ends with, or ""."""
    try:
        function(*arguments, **options)
    except (ValueError, tf.errors.OpError) as error:
        lines = [line.strip() for line in str(error).splitlines()]
        kind, said = f"{type(error).__name__}: ", [*filter(None, lines)][-1]
        return kind + said.removeprefix(kind)
    return ""
