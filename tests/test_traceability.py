from tests.traceability import DOCUMENT, PLACES, ROOT, collect_proofs, document, read_rows


def test_the_document_is_what_the_markers_say() -> None:
    """Write it anew with `python -m tests.traceability`."""
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_every_statement_has_a_row() -> None:
    rows = read_rows()
    assert len(rows) == len({row.id for row in rows}) == 379
    assert all(row.sections and row.statement for row in rows)


def test_the_places_named_for_source_files_exist() -> None:
    for modules in PLACES.values():
        assert all((ROOT / module).exists() for module in modules.split(", "))


def test_markers_are_read_from_functions_classes_and_files() -> None:
    proofs = collect_proofs()
    of_this_project = {proof.test for tests in proofs.values() for proof in tests}
    assert "model/test_context.py::TestCompaction::test_the_figure_of_the_seeds" in of_this_project
    assert any(proof.module == "model/context.py" for proof in proofs["O-033"])
    assert any(proof.test.startswith("model/test_timestamps.py::") for proof in proofs["P-066"])
