"""Decompression and decoding of sitemap files, and removal of comments."""

from __future__ import annotations

import gzip

import pytest

from headwater.pages.files.sitemap_text import (
    decode_body,
    decompress_body,
    find_content_start,
    lowercase_tags,
    strip_comments,
)


@pytest.mark.parametrize("layers", [0, 1, 2, 3])
def test_gzip_inside_gzip_is_decompressed(layers: int) -> None:
    body = b"<urlset/>"
    for _ in range(layers):
        body = gzip.compress(body)
    assert decompress_body(body, 1000) == (b"<urlset/>", "")


@pytest.mark.parametrize(
    ("body", "found", "problem"),
    [
        (gzip.compress(b"x" * 2000), b"x" * 1000, "too-large: only the first 1,000 bytes were read"),
        (gzip.compress(b"x" * 1000), b"x" * 1000, ""),
        (b"x" * 2000, b"x" * 2000, ""),
        (gzip.compress(b"xyz")[:-8], b"xyz", "the gzip ends early"),
        (b"\x1f\x8bno gzip", b"", "the gzip is broken"),
    ],
    ids=["longer than the limit", "as long as the limit", "not compressed", "truncated", "invalid"],
)
def test_problems_of_compressed_files(body: bytes, found: bytes, problem: str) -> None:
    decompressed, noticed = decompress_body(body, 1000)
    assert decompressed == found
    assert noticed.startswith(problem)
    assert bool(noticed) is bool(problem)


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        ("é".encode(), "", "é"),
        ("é".encode(), "latin-1", "Ã©"),
        ("é".encode("latin-1"), "iso-8859-1", "é"),
        ("é".encode("latin-1"), "", "\ufffd"),
        ("é".encode("latin-1"), "no-such-encoding", "\ufffd"),
        (b"\xef\xbb\xbf" + "é".encode(), "latin-1", "é"),
        ("\ufeffé".encode("utf-16-le"), "", "é"),
        ("\ufeffé".encode("utf-32-be"), "utf-8", "é"),
        ('<?xml version="1.0"?>é'.encode("utf-16-be"), "", '<?xml version="1.0"?>é'),
        ('<?xml encoding="iso-8859-1"?>é'.encode("latin-1"), "utf-8", '<?xml encoding="iso-8859-1"?>é'),
        ('<?xml encoding="idna"?>é'.encode(), "", '<?xml encoding="idna"?>é'),
    ],
)
def test_the_encoding_is_found_by_mark_declaration_and_header(body: bytes, charset: str, text: str) -> None:
    assert decode_body(body, charset) == text


@pytest.mark.parametrize(
    ("prologue", "content"),
    [
        ("", "<urlset>"),
        (" \n\ufeff", "<urlset>"),
        ("<?xml version='1.0'?>\n<?xml-stylesheet href='a'?>", "<urlset>"),
        ("<!-- <urlset> -->", "<urlset>"),
        ("<!DOCTYPE html>", "<html>"),
        ("<!doctype urlset [<!ENTITY a '>'>]>", "<urlset>"),
        ("", "<!-- not closed <urlset>"),
        ("\n", "https://e.com/"),
    ],
)
def test_the_content_starts_after_declarations_and_comments(prologue: str, content: str) -> None:
    text = prologue + content
    assert text[find_content_start(text) :] == content


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a><!-- x --><b>", "<a><b>"),
        ("<!----><a><!-- x\n<c> -->", "<a>"),
        ("<a><!-- not closed <b>", "<a><!-- not closed <b>"),
        ("<a>", "<a>"),
        ("", ""),
    ],
)
def test_comments_are_removed(text: str, expected: str) -> None:
    assert strip_comments(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<URL><Loc>https://E.com/A</Loc></URL>", "<url><loc>https://E.com/A</loc></url>"),
        ("<S:URL a='B'>C</S:URL>", "<s:url a='B'>C</s:url>"),
        ("<LOC>" + "X" * 20_000 + "</LOC>" * 2, "<loc>" + "X" * 20_000 + "</loc>" * 2),
    ],
    ids=["names", "prefixes", "long"],
)
def test_only_the_names_of_elements_become_lower_case(text: str, expected: str) -> None:
    assert lowercase_tags(text) == expected
