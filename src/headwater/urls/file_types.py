"""File endings that are no pages, by kind: the lists of seeds 000, 001 and 003 united, and near relatives."""

from __future__ import annotations

EXTENSIONS_BY_TYPE: dict[str, tuple[str, ...]] = {
    "document": ("pdf", "doc", "docx", "xls", "xlsx", "xlsm", "ppt", "pptx", "odt", "ods", "odp", "rtf", "epub", "ps"),
    "archive": ("zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "rar", "7z", "jar", "war"),
    "image": ("jpg", "jpeg", "png", "gif", "svg", "webp", "avif", "bmp", "tif", "tiff", "heic"),
    "icon": ("ico",),
    "video": ("mp4", "mov", "avi", "mkv", "webm", "wmv", "m4v", "mpg", "mpeg"),
    "audio": ("mp3", "wav", "ogg", "oga", "m4a", "flac", "aac"),
    "executable": ("exe", "dmg", "apk", "msi", "deb", "rpm", "iso", "pkg", "bin"),
    "data": ("csv", "xml", "json", "sql", "rss", "atom", "ics", "parquet"),
    "style": ("css",),
    "script": ("js", "mjs", "map", "wasm"),
    "font": ("woff", "woff2", "ttf", "otf", "eot"),
}

TYPE_BY_EXTENSION: dict[str, str] = {
    extension: kind for kind, extensions in EXTENSIONS_BY_TYPE.items() for extension in extensions
}


def get_extension(path: str) -> str:
    """The ending of the last segment, lower case, without its dot; a path that ends in a slash names a directory."""
    dot = path.rfind(".")
    if dot <= 0 or path[dot - 1] == "/":
        return ""
    ending = path[dot + 1 :]
    return "" if "/" in ending else ending.lower()


def get_file_type(path: str) -> str | None:
    """What kind of file the path names if it is no page, such as `image`."""
    return TYPE_BY_EXTENSION.get(get_extension(path))
