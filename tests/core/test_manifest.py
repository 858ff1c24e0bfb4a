"""A manifest says which files are of which run, and every fault in it before anything is used."""

import json

import pytest

from quality.manifest import FaultyManifest, claimed_files, is_manifest, read_manifest

RUN = {"story_id": "S-7", "agent": "a", "artifacts": ["reports/**/*.xml", "ci.log"]}


def written(*runs, **more):
    return json.dumps({"quality_manifest": 1, "runs": list(runs)} | more).encode()


@pytest.fixture
def folder(tmp_path):
    """`folder("a/b.xml", …)` makes the files and the manifest."""

    def makes(content, *names):
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x")
        path = tmp_path / "quality-manifest.json"
        path.write_bytes(content)
        return path

    return makes


def test_names_are_claimed_by_the_first_pattern_that_fits():
    """`**` stands for any number of folders, also none; what fits nothing is left out."""
    names = ["reports/a.xml", "reports/x/y/b.xml", "ci.log", "other.xml", "reports/c.txt"]
    claims = read_manifest(written(RUN)).claims(names)
    assert list(claims) == names[:3]
    assert claims["ci.log"].fields["story_id"] == "S-7"


def test_dropped_files_have_lost_their_folders():
    """Then the last part of a pattern counts."""
    assert list(read_manifest(written(RUN)).claims(["b.xml", "ci.log"], by_last_part=True)) == ["b.xml", "ci.log"]


def test_a_claim_becomes_the_fields_of_an_import():
    """The model by either name, a start with its zone, what is said of the story."""
    run = RUN | {"model": "m", "attempt": 2, "started_at": "2026-03-01T10:30:00+01:00", "title": "T", "phase": "p"}
    fields = read_manifest(written(run)).runs[0].fields
    assert (fields["model_version"], fields["attempt"], fields["story"].title, fields["story"].phase) == (
        "m",
        2,
        "T",
        "p",
    )
    assert fields["started_at"].utcoffset().total_seconds() == 3600


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"{", "not JSON"),
        (written(RUN, quality_manifest=2), "quality_manifest = '2'"),
        (written(), "runs = '[]'"),
        (written(RUN | {"storyid": "S"}), "runs.0.storyid: no such key. Did you mean: story_id"),
        (written({"agent": "a", "artifacts": ["x"]}), "runs.0.story_id: missing: give it"),
        (written(RUN | {"artifacts": []}), "runs.0.artifacts"),
        (written(RUN | {"attempt": 0}), "runs.0.attempt = '0'"),
        (written(RUN | {"started_at": "2026-03-01T09:30:00"}), "names no zone"),
        (written(RUN | {"model": "m", "model_version": "n"}), "give one of them"),
    ],
)
def test_what_it_cannot_mean_is_a_named_fault(content, fault):
    """With the place and what is allowed."""
    with pytest.raises(FaultyManifest) as caught:
        read_manifest(content)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("../x.xml", "leads out of the manifest's folder"),
        ("a/../../x.xml", "leads out of the manifest's folder"),
        ("/etc/passwd", "is an absolute path"),
        ("C:/x.xml", "is an absolute path"),
        ("a\\x.xml", "write / between folders"),
        ("missing*.xml", "matches no file"),
    ],
)
def test_a_pattern_that_leads_out_or_nowhere_is_a_fault(pattern, fault):
    """It is named."""
    with pytest.raises(FaultyManifest) as caught:
        read_manifest(written(RUN | {"artifacts": [pattern]})).claims(["x.xml"])
    assert fault in str(caught.value)
    assert repr(pattern) in str(caught.value)


def test_a_file_of_two_runs_is_a_fault_and_all_faults_are_told():
    """Both runs are named."""
    content = written(RUN | {"artifacts": ["*.xml"]}, {"story_id": "S-8", "artifacts": ["a.*", "gone"]})
    with pytest.raises(FaultyManifest) as caught:
        read_manifest(content).claims(["a.xml"])
    assert caught.value.faults[0].startswith("a.xml is claimed by runs.0 and runs.1")
    assert "'gone' matches no file" in caught.value.faults[1]


def test_files_on_disk_come_in_the_order_of_a_walk(folder, tmp_path):
    """The manifest itself is none of them, whatever its patterns say; a hidden file only by its name."""
    run = {"story_id": "S-7", "artifacts": ["**/*.json", "**/*.xml", ".hidden.log"]}
    found = claimed_files(folder(written(run), "b/z.xml", "a.json", "b/a.xml", ".hidden.log", ".git/c.xml"))
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["a.json", "b/a.xml", "b/z.xml", ".hidden.log"]


def test_a_link_out_of_the_folder_is_a_fault(folder, tmp_path_factory, tmp_path):
    """Nothing beyond the folder is read."""
    outside = tmp_path_factory.mktemp("outside") / "secret.xml"
    outside.write_text("x")
    (tmp_path / "link.xml").symlink_to(outside)
    with pytest.raises(FaultyManifest, match=r"link\.xml is a link that leads out"):
        claimed_files(folder(written({"story_id": "S-7", "artifacts": ["*.xml"]})))


def test_it_is_known_by_its_content():
    """Not by a word in a text, nor by a list."""
    assert is_manifest(written(RUN))
    assert not is_manifest(b'"quality_manifest"')
    assert not is_manifest(b'["quality_manifest"]')
    assert not is_manifest(b'{"a": "quality_manifest"')
