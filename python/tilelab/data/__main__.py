"""``python -m tilelab.data`` renders the frame pair of the package again and replaces its file."""

from tilelab.data.rendered import render

if __name__ == "__main__":
    render()
