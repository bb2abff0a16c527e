"""Dives read the pages of a cluster from a real site, skip unchanged ones, and export them."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

from tests.commands import headwater
from tests.dive.canoe_site import TOPICS, article, guides, scan_and_dive, scan_site
from tests.sites.table_site import Answer, robots, table_site

if TYPE_CHECKING:
    from pathlib import Path


def rows(db: Path, query: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(db) as connection:
        return connection.execute(query).fetchall()


def test_a_cluster_is_read_in_the_chosen_language(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with table_site(guides) as site:
        scan_and_dive(site, db, "--embedder", "none")
        pages = dict(rows(db, "SELECT url, state FROM dive_page"))
        assert {str(url).rpartition("/")[2] for url, state in pages.items() if state == "done"} == set(TOPICS)
        texts = [text for (text,) in rows(db, "SELECT text FROM chunk")]
        assert len(texts) == len(TOPICS)
        assert not any("helpful" in str(text) or "Home" in str(text) for text in texts)  # repeated text and navigation
        result = headwater("dive", "guides", "--all-languages", "--db", str(db), "--embedder", "none")
        assert "6 of 6 pages" in result.err


def test_pages_that_ask_not_to_be_indexed_are_read_on_request(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    flags = ("--match", "/guides/*", "--db", str(db), "--embedder", "none", "--all-languages")
    with table_site(guides) as site:
        paths = [path for path in site.answers if path.startswith("/guides/")]
        site.answers["/guides/knots"] = Answer(site.answers["/guides/knots"].body, headers={"X-Robots-Tag": "noindex"})
        scan_site(site, db)
        assert f"of {len(paths) - 1} pages" in headwater("dive", *flags).err
        assert f"of {len(paths)} pages" in headwater("dive", *flags, "--include-noindex").err
        for path in paths:
            site.answers[path] = Answer(site.answers[path].body, headers={"X-Robots-Tag": "noindex"})
        scan_site(site, db)
        nothing = headwater("dive", *flags)
    assert nothing.code == 2
    assert f"all {len(paths)} selected pages are marked noindex; --include-noindex reads them" in nothing.err


def test_unchanged_pages_are_not_processed_again(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with table_site(guides) as site:
        scan_and_dive(site, db, "--embedder", "none")
        before = rows(db, "SELECT number, text FROM chunk ORDER BY number")
        site.requests.clear()
        changed = article("Knots for the shore", "Use a clove hitch, which is quick to tie and to loosen.")
        site.answers["/guides/knots"] = Answer(changed, headers={"ETag": '"new"'})
        site.answers["/guides/repair"] = Answer(site.answers["/guides/repair"].body)  # the same, without a tag
        del site.answers["/guides/weather"]
        result = headwater("dive", "guides", "--db", str(db), "--embedder", "none", "--retries", "0")
        assert "4 of 5 pages, 4 passages" in result.err
        assert "http-404 1" in result.err
        statuses = {path: status for path, _, status in site.requests}
        assert statuses["/guides/packing"] == statuses["/guides/rapids"] == 304
        after = dict(rows(db, "SELECT number, text FROM chunk"))
        kept = {number: text for number, text in before if "Duct" in str(text) or "Heavy" in str(text)}
        assert kept.items() <= after.items()
        assert any("clove hitch" in str(text) for text in after.values())
        assert not any("bowline" in str(text) or "lightning" in str(text) for text in after.values())
        assert rows(db, "SELECT count(*) FROM chunk_words WHERE chunk_words MATCH 'bowline OR lightning'") == [(0,)]


def test_a_page_that_fails_temporarily_keeps_its_content(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with table_site(guides) as site:
        scan_and_dive(site, db, "--embedder", "none")
        site.answers["/guides/knots"] = Answer("sorry", 500)
        result = headwater("dive", "guides", "--db", str(db), "--embedder", "none", "--retries", "0")
        assert "http-500 1" in result.err
        assert rows(db, "SELECT count(*) FROM chunk_words WHERE chunk_words MATCH 'bowline'") == [(1,)]


def test_robots_txt_is_obeyed_and_other_hosts_are_not_read(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with table_site(guides) as site:
        scan_site(site, db)
        site.answers["/robots.txt"] = robots("User-agent: *\nDisallow: /guides/knots")
        site.answers["/guides/rapids"] = Answer("", 302, headers={"Location": "http://localhost.example/x"})
        site.hits.clear()
        result = headwater("dive", "guides", "--db", str(db), "--embedder", "none", "--retries", "0")
        assert site.hits["/guides/knots"] == 0
        assert "robots-disallowed 1" in result.err
        assert "3 of 5 pages" in result.err


def test_exports(tmp_path: Path) -> None:
    db, folder = tmp_path / "d.db", tmp_path / "out"
    with table_site(guides) as site:
        scan_and_dive(site, db, "--embedder", "none", "--export", "md", "-o", str(folder))
        names = {path.name for path in folder.iterdir()}
        assert names == {f"guides-{name}.md" for name in TOPICS} | {"llms.txt", "llms-full.txt"}
        text = (folder / "guides-knots.md").read_text()
        assert text.startswith('---\ntitle: "Knots for the shore — Canoe"\nurl: ')
        assert text.endswith("# Knots for the shore {#top}\n\n" + TOPICS["knots"][1] + "\n")
        lines = (folder / "llms.txt").read_text().splitlines()
        assert f"- [Running rapids]({site.origin}/guides/rapids): {TOPICS['rapids'][1]}" in lines
        full = (folder / "llms-full.txt").read_text()
        assert all(topic[1] in full for topic in TOPICS.values())
    result = headwater("dive", "--dive", "1", "--db", str(db), "--export", "jsonl")  # the site is down; no page is read
    records = [json.loads(line) for line in result.out.splitlines()]
    assert [one["url"].rpartition("/")[2] for one in records] == sorted(TOPICS)
    assert records[0]["headings"] == [{"level": 1, "text": "Knots for the shore", "anchor": "top"}]


def test_an_export_replaces_the_given_file(tmp_path: Path) -> None:
    db, file = tmp_path / "d.db", tmp_path / "pages.jsonl"
    file.write_text("an older export\n" * 1000)
    with table_site(guides) as site:
        scan_and_dive(site, db, "--embedder", "none", "--export", "jsonl", "-o", str(file))
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert [one["url"].rpartition("/")[2] for one in records] == sorted(TOPICS)
    export = ("dive", "--dive", "1", "--db", str(db), "--export", "jsonl")
    assert headwater(*export).out == file.read_text()
    for output, problem in ((tmp_path, "Is a directory"), (tmp_path / "none" / "x", "No such file or directory")):
        result = headwater(*export, "-o", str(output))
        assert (result.code, result.out) == (1, "")
        assert f"Error: could not write {output} ({problem}). The dive is stored in {db}: " in result.err


def test_a_second_export_updates_the_folder(tmp_path: Path) -> None:
    db, folder = tmp_path / "d.db", tmp_path / "out"
    flags = ("--embedder", "none", "--export", "md", "-o", str(folder))
    with table_site(guides) as site:
        scan_and_dive(site, db, *flags)
        before = {path.name: path.read_text() for path in folder.iterdir()}
        (folder / "notes.txt").write_text("written by hand")
        text = "Use a clove hitch, which is quick to tie and to loosen."
        site.answers["/guides/knots"] = Answer(article("Knots for the shore", text))
        result = headwater("dive", "guides", "--db", str(db), *flags)
    assert result.code == 0, result.err
    assert f"Wrote 5 pages, llms.txt and llms-full.txt to {folder}" in result.err
    after = {path.name: path.read_text() for path in folder.iterdir()}
    assert after.pop("notes.txt") == "written by hand"
    assert after.keys() == before.keys()
    assert {name for name in after if text in after[name]} == {"guides-knots.md", "llms.txt", "llms-full.txt"}
    assert not any("bowline" in content for content in after.values())
    assert before["guides-repair.md"].count("\n") == after["guides-repair.md"].count("\n") > 1
    file = folder / "notes.txt"
    onto_a_file = headwater("dive", "--dive", "1", "--db", str(db), "--export", "md", "-o", str(file))
    assert (onto_a_file.code, f"could not write {file} (File exists)" in onto_a_file.err) == (1, True)


def test_a_second_export_removes_files_of_deleted_pages(tmp_path: Path) -> None:
    db, folder = tmp_path / "d.db", tmp_path / "out"
    flags = ("--embedder", "none", "--export", "md", "-o", str(folder))
    with table_site(guides) as site:
        site.answers["/guides/Sails"] = Answer(article("Sails", "Set a sail when the wind comes from behind."))
        site.answers["/"] = Answer('<a href="/guides/Sails">Sails</a>' + str(site.answers["/"].body))
        scan_and_dive(site, db, *flags)
        by_hand = {"notes.md": "by hand", "copy.md": '---\nurl: "https://example.com/other"\n---\nanother export'}
        for name, text in by_hand.items():
            (folder / name).write_text(text)
        del site.answers["/guides/knots"]
        scan_and_dive(site, db, *flags)
    names = {path.name for path in folder.iterdir()}
    left = {f"guides-{name}.md" for name in TOPICS if name != "knots"} | {"guides-Sails.md"}
    assert names == left | {"llms.txt", "llms-full.txt"} | set(by_hand)


def test_output_without_export_takes_the_format_from_the_name(tmp_path: Path) -> None:
    db, file = tmp_path / "d.db", tmp_path / "pages.jsonl"
    with table_site(guides) as site:
        scan_and_dive(site, db, "--embedder", "none", "-o", str(file))
        assert len(file.read_text().splitlines()) == len(TOPICS)
        requests = len(site.requests)
        result = headwater("dive", "guides", "--db", str(db), "-o", str(tmp_path / "pages.txt"))
        assert (result.code, len(site.requests)) == (2, requests)
    assert "pages.txt needs --export: md for a folder of Markdown files, jsonl for one file" in result.err


def test_usage_errors_are_explained(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    missing = headwater("dive", "guides", "--db", str(db))
    assert (missing.code, "does not exist" in missing.err) == (2, True)
    with table_site(guides) as site:
        scan_site(site, db)
        unknown = headwater("dive", "nonsense", "--db", str(db))
        assert unknown.code == 2
        assert "there is no cluster 'nonsense'; clusters: " in unknown.err
        assert "guides" in unknown.err
        assert headwater("dive", "--db", str(db)).code == 2
        assert headwater("dive", "--match", "/nothing/*", "--db", str(db)).code == 2
        matched = headwater("dive", "--match", "/guides/k*", "--db", str(db), "--embedder", "none")
        assert "1 of 1 page," in matched.err
        listed = headwater("dive", "--list", "--db", str(db))
        assert "guides" in listed.out
        assert "dive 1" in listed.err
