"""The files shown in dwarfs/README.md are the files of the tree, links between documents lead somewhere, and the scripts
that commands begin with can be run."""
import os
import pathlib
import re

from checks import check, finish

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / name for name in ("README.md", "dwarfs/README.md", "results/README.md", "tests/README.md")]


def shown_files(text):
    """(path, code) of every section headed by a file's name."""
    return re.findall(r"^## [^\n]*: `([\w/.]+)`\n.*?^```\w*\+*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def broken_links(path, text):
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    targets = re.findall(r"\]\((?!http)([^)#]+)\)", prose)
    return [target for target in targets if not (path.parent / target).exists()]


def scripts_that_do_not_run(text):
    """Of the indented commands that begin with a script of the tree."""
    scripts = re.findall(r"^    (?:\./)?((?:results|tests)/[\w/.]+)(?= )", text, re.MULTILINE)
    return [script for script in scripts if not os.access(ROOT / script, os.X_OK)]


page = (ROOT / "dwarfs/README.md").read_text()
files = shown_files(page)
check(len(files) == 3, f"three files are shown: {[name for name, _ in files]}")
for name, code in files:
    check((ROOT / name).read_text() == code, f"dwarfs/README.md shows another {name} than there is")
for path in DOCUMENTS:
    check(not broken_links(path, path.read_text()), f"{path.name}: links to {broken_links(path, path.read_text())}")
for path in [*DOCUMENTS, *ROOT.glob("results/*/README.md")]:
    check(not scripts_that_do_not_run(path.read_text()), f"{path}: {scripts_that_do_not_run(path.read_text())} cannot be run")

# All can fail.
check(shown_files(page.replace("saxpy(", "sxapy(")) != files, "another code is seen")
check(broken_links(ROOT / "README.md", "[here](nowhere.md)") == ["nowhere.md"], "a broken link is seen")
check(scripts_that_do_not_run("    results/peers/problems.py x\n") == ["results/peers/problems.py"], "a script without its mode is seen")
finish()
