"""File extensions that do not belong to pages, by type of file."""

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
    """Return the extension of the last path segment, lower case and without its dot; empty for a directory."""
    dot = path.rfind(".")
    if dot <= 0 or path[dot - 1] == "/":
        return ""
    ending = path[dot + 1 :]
    return "" if "/" in ending else ending.lower()


def get_file_type(path: str) -> str | None:
    """Return the type of file that a path names, such as `image`; None if it may be a page."""
    return TYPE_BY_EXTENSION.get(get_extension(path))
