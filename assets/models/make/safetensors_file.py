"""Weights as the models have them: safetensors, in F16."""
import json
from pathlib import Path

import numpy as np


def write_safetensors(path, tensors):
    """The format's own words: length of the header, the header as JSON, then the bytes of all tensors, here F16."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        part = np.ascontiguousarray(tensor, dtype="<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(len(text).to_bytes(8, "little") + text + data)
