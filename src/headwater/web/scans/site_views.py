"""The structure of a scanned site as the API and the screens show it: folders, sections, link graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.web.scans.page_views import make_page_rows
from headwater.web.scans.records import ClusterRow, Clusters, FolderRow, Graph, GraphPage, Section, Sections, Tree
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan
    from headwater.store.scan_index.index import Folder, ScanIndex
    from headwater.web.scans.inputs import TreeQuery

MAX_CHILDREN = 200
"""Folders and pages of one folder that are returned at once."""

MAX_LINKS_PER_PAGE = 20


def make_tree(store: BrowseStore, index: ScanIndex, scan: Scan, query: TreeQuery) -> Tree:
    """Return the folders and pages of a folder; without a path, the hosts."""
    path, after_folder, after_page = query.path, query.after_folder, query.after_page
    folder = index.folder(path) if path else None
    if path and folder is None:
        raise Problem(404, f"Nothing was found below {path[:200]}")
    folders = index.folders(folder.number if folder else None, after_folder, MAX_CHILDREN + 1)
    pages = index.pages_in(folder, after_page, MAX_CHILDREN + 1) if folder else []
    numbers = [page for _, page, key in pages[:MAX_CHILDREN] if index.folder(f"{key}/") is None]
    if folder and not after_page and not after_folder:
        numbers = [*_find_own_page(index, folder), *numbers]
    return Tree(
        path=path,
        folders=tuple(
            FolderRow(name=one.name, path=one.path, pages=one.pages, own=one.own) for one in folders[:MAX_CHILDREN]
        ),
        pages=make_page_rows(store.pages_by_number(scan.number, numbers)),
        more_folders=folders[MAX_CHILDREN - 1].number if len(folders) > MAX_CHILDREN else None,
        more_pages=pages[MAX_CHILDREN - 1][0] if len(pages) > MAX_CHILDREN else None,
    )


def list_sections(_: BrowseStore, index: ScanIndex, scan: Scan, limit: int) -> Sections:
    """Return the largest folders of the site."""
    folders = index.sections(limit + 1)
    return Sections(
        sections=tuple(
            Section(number=one.number, parent=one.parent, name=one.name, path=one.path, pages=one.pages, own=one.own)
            for one in folders[:limit]
        ),
        is_capped=len(folders) > limit,
    )


def list_clusters(_: BrowseStore, index: ScanIndex, scan: Scan, limit: int) -> Clusters:
    """Return the most informative clusters of the site."""
    found = index.clusters()
    return Clusters(clusters=tuple(ClusterRow(*cluster) for cluster in found[:limit]), total=len(found))


def make_graph(store: BrowseStore, index: ScanIndex, scan: Scan, limit: int) -> Graph:
    """Return the pages with the highest priority and the known links between them."""
    numbers = index.top_pages(limit)
    parents = store.find_parents(scan.number, numbers)
    total = int(index.metadata["listed"])
    return Graph(
        pages=tuple(
            GraphPage(number=number, url=page.url, title=page.title, parent=parents.get(number), depth=page.depth)
            for number, page in store.pages_by_number(scan.number, numbers)
        ),
        links=tuple(store.links_between(scan.number, numbers, MAX_LINKS_PER_PAGE * limit)),
        is_capped=total > limit,
        total=total,
        links_kept=str(scan.settings.get("links", "all")),
    )


def _find_own_page(index: ScanIndex, folder: Folder) -> list[int]:
    """Return the page at the address of a folder, which is listed first in it."""
    own = index.find_page(folder.path[:-1]) if folder.parent is not None else None
    return [own] if own else []
