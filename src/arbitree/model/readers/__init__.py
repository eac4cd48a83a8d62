"""Readers of other libraries' model files, a file each.

Each takes the bytes of a file and returns a `ReadModel`; the library is imported when it is needed.
"""
