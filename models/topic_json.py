"""Provisional; being replaced."""

from __future__ import annotations
from pathlib import Path
from models.background import Background
from models.vsm import TopicModel
import json


def save(model: TopicModel, path: Path) -> None:
    path.write_text(json.dumps({"weights": model.weights, "threshold": model.threshold.value}, ensure_ascii=False, indent=1))


def load(path: Path, background: Background) -> TopicModel:
    raise NotImplementedError
