"""The code shown in docs/add-a-dwarf.md is the code of the template, links between documents lead somewhere, and the scripts
that commands begin with can be run."""
import os
import pathlib
import re

from checks import check, finish

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / name for name in ("README.md", "dwarfs/README.md", "docs/add-a-dwarf.md", "results/README.md",
                                  "tests/README.md")]


def shown_code(text):
    """(path, code) of every block of code below a line that ends in a file's name, or begins with it."""
    return re.findall(r"^(?:## [^\n]*: )?`([\w/.]+)`(?::[^\n]*)?\n(?:(?!```)[^\n]*\n)*?```\w*\+*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def differing_code(text):
    """The files of which other code is shown than they have."""
    return [path for path, code in shown_code(text) if code not in (ROOT / path).read_text()]


def broken_links(path, text):
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    targets = re.findall(r"\]\((?!http)([^)#]+)\)", prose)
    return [target for target in targets if not (path.parent / target).exists()]


def scripts_that_do_not_run(text):
    """Of the indented commands that begin with a script of the tree."""
    scripts = re.findall(r"^    (?:\./)?((?:results|tests)/[\w/.]+)(?= )", text, re.MULTILINE)
    return [script for script in scripts if not os.access(ROOT / script, os.X_OK)]


page = (ROOT / "docs/add-a-dwarf.md").read_text()
check(len(shown_code(page)) == 5, f"five files are shown: {[name for name, _ in shown_code(page)]}")
check(not differing_code(page), f"docs/add-a-dwarf.md shows other code than {differing_code(page)} has")
for path in DOCUMENTS:
    check(not broken_links(path, path.read_text()), f"{path.name}: links to {broken_links(path, path.read_text())}")
for path in [*DOCUMENTS, *ROOT.glob("results/*/README.md")]:
    check(not scripts_that_do_not_run(path.read_text()), f"{path}: {scripts_that_do_not_run(path.read_text())} cannot be run")

# All can fail.
check(differing_code(page.replace("square(", "sqaure(")) == ["kernels_cl/template/template.cl"], "another code is seen")
check(broken_links(ROOT / "README.md", "[here](nowhere.md)") == ["nowhere.md"], "a broken link is seen")
check(scripts_that_do_not_run("    results/peers/problems.py x\n") == ["results/peers/problems.py"], "a script without its mode is seen")
finish()
