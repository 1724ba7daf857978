"""Heat that spreads over a grid, here the grey of a picture.

A sweep replaces each cell by the mean of itself and its four neighbours,
which is an explicit step of the heat equation; the cells of the border keep
their values.  The picture is one that Matplotlib ships.
"""

ROWS, COLUMNS = 600, 512  # of the whole picture


def picture(rows=ROWS, columns=COLUMNS):
    """Return the middle of the picture: grey, float64 from 0 to 255."""
    import numpy as np
    from matplotlib.cbook import get_sample_data
    from PIL import Image

    with Image.open(get_sample_data("grace_hopper.jpg")) as image:
        grey = np.asarray(image.convert("L"), np.float64)
    top, left = (ROWS - rows) // 2, (COLUMNS - columns) // 2
    return grey[top : top + rows, left : left + columns].copy()


def square(side):
    """Return a square of the picture, repeated as often as that takes."""
    import numpy as np

    grid = np.tile(picture(), (1 + side // ROWS, 1 + side // COLUMNS))
    return grid[:side, :side].copy()


def rows(side):
    """Return the same as a list of lists."""
    return square(side).tolist()


def swept(side):
    """Return the same, and how often a version is to sweep over it."""
    return square(side), 10
