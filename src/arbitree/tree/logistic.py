from __future__ import annotations


class LogisticFinder:
    def __init__(self, setting):
        pass
