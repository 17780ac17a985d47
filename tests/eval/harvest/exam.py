"""The exam that floors are held to."""

from __future__ import annotations

from functools import cache

from tools.eval.harvest.synthetic import Exam

DIGESTS = {"astronomy": "6a29ed3cbc0f826c", "railways": "f6a2a0cf45484617"}
exam = cache(Exam)
