"""Errors that users meet."""


class DataError(ValueError):
    """Rows or options that halfspace refuses. The message has its sentence, the place and the id of the row."""
