"""What a column's small integers mean.

A coding turns one column into integers once; every engine counts those integers and nothing
else. Codes ``0 .. n_values - 1`` are values, the last code, ``missing_code``, is a missing value.
The code for "missing" is always reserved, whether or not the data used it, so that a model
learnt from the codes can be asked about a missing value.
"""
