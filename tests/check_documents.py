"""The code shown in docs/add-a-dwarf.md is the code of the template, links between documents lead to a file and to
a heading, the scripts that commands begin with can be run, the options of commands exist (in help texts as well), and the generated
pages are fresh."""
import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checks import PROGRAM, ROOT, check, documents, finish


def shown_code(text):
    """(path, code) of every block of code below a line that ends in a file's name, or begins with it."""
    return re.findall(r"^(?:## [^\n]*: )?`([\w/.]+)`(?::[^\n]*)?\n(?:(?!```)[^\n]*\n)*?```\w*\+*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def differing_code(text):
    """The files of which other code is shown than they have."""
    return [path for path, code in shown_code(text) if code not in (ROOT / path).read_text()]


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


@functools.cache
def anchors(path):
    """The anchors that GitHub gives the headings of a page: "What's `new`?" has whats-new."""
    found = []
    for heading in re.findall(r"^#+ +(.*?)\s*$", without_code(path.read_text()), re.MULTILINE):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.replace("\\", ""))
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return found


def broken_links(path, text):
    broken = []
    for target in re.findall(r"\]\((?!https?:|mailto:)([^)]+)\)", without_code(text)):
        file, _, anchor = target.partition("#")
        page = path.parent / file if file else path
        if not page.exists() or anchor and page.suffix == ".md" and anchor not in anchors(page):
            broken.append(target)
    return broken


def scripts_that_do_not_run(text):
    """Of the indented commands that begin with a script of the tree."""
    scripts = re.findall(r"^    (?:\./)?((?:results|tests)/[\w/.]+)(?= )", text, re.MULTILINE)
    return [script for script in scripts if not os.access(ROOT / script, os.X_OK)]


def is_script(path, text):
    """Started by name, or a Python file with a main part, or a check."""
    return text.startswith("#!") or path.suffix == ".py" and (path.name.startswith("check") or "__main__" in text)


def lacks_help(path):
    """Of a script: --help must be answered at once, by Python's own library alone. -S leaves out all other packages."""
    is_python = path.suffix == ".py" or "python" in path.open().readline()
    command = [sys.executable, "-S", "-B", path] if is_python else ["bash", path]
    try:
        done = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0 or len(done.stdout) < 50


@functools.cache
def options_of(command):
    """The options that the program takes with this command; none for what is no command of it."""
    if command == "help":
        return {"--man", "--bash", "--zsh"}
    help_text = subprocess.run([PROGRAM, command, "-h"], capture_output=True, text=True)
    return set(re.findall(r"--[a-z][a-z0-9-]*", help_text.stdout)) if help_text.returncode == 0 else set()


@functools.cache
def commands():
    overview = subprocess.run([PROGRAM], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z]+) +[a-z]", overview, re.MULTILINE)


def documented_variables():
    """Environment variables in the help of all commands."""
    pages = [subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True).stdout for command in commands()]
    return set(re.findall(r"^  ([A-Z]+_[A-Z_]+) ", "\n".join(pages), re.MULTILINE))


def unknown_rows(text):
    """Of tables that begin with options: those that no command takes."""
    rows = re.findall(r"^\| `(--[a-z][a-z0-9-]*)", text, re.MULTILINE)
    return [option for option in rows if not any(option in options_of(command) for command in commands())]


def unknown_options(text):
    """Of the commands of the program in blocks of code and in code spans: "command --option" that it does not take."""
    code = re.findall(r"^    [^\n]*(?:\\\n[^\n]*)*", text, re.MULTILINE) + re.findall(r"^```\w*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    code += re.findall(r"`([^`\n]+)`", text)
    unknown = []
    for block in code:
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            line = line.split(" # ")[0]
            found = re.search(r"(?:^|[\s/;|`])(?:\./run|dwarfsweep)\s+([a-z]+)(?=\s|$)(.*)", line)
            if not found or found[1] in ("test", "setup"):
                continue
            options = re.findall(r"(?<!\S)(--[a-z][a-z0-9-]*)", re.split(r"\s[|>]|\s--\s", found[2])[0])
            unknown += [f"{found[1]} {option}" for option in options if option not in options_of(found[1])]
    return unknown


def foreign_options(command, text):
    """Options that the help of a command mentions, although it does not take them."""
    return sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text)) - options_of(command))


page = (ROOT / "docs/add-a-dwarf.md").read_text()
check(len(shown_code(page)) == 5, f"five files are shown: {[name for name, _ in shown_code(page)]}")
check(not differing_code(page), f"docs/add-a-dwarf.md shows other code than {differing_code(page)} has")
for path in documents():
    name, text = path.relative_to(ROOT), path.read_text()
    check(not broken_links(path, text), f"{name}: links to {broken_links(path, text)}")
    check(not scripts_that_do_not_run(text), f"{name}: {scripts_that_do_not_run(text)} cannot be run")
    check(not unknown_options(text), f"{name}: the program does not take {unknown_options(text)}")
    check(not unknown_rows(text), f"{name}: no command takes {unknown_rows(text)}")
for command in commands():
    shown = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True).stdout
    check(not foreign_options(command, shown), f"{command} --help: {foreign_options(command, shown)}")
check(len(commands()) > 10, f"commands: {commands()}")
check(foreign_options("devices", "as with --budget") == ["--budget"], "foreign options are found")
guide = (ROOT / "docs/guide.md").read_text()
check(documented_variables() and all(f"`{name}`" in guide for name in documented_variables()),
      f"docs/guide.md lacks one of {documented_variables()}")
scripts = [ROOT / "run", *(path for folder in ("tests", "results", "docs", ".ci", "packaging") for path in (ROOT / folder).rglob("*"))]
scripts = [path for path in scripts if path.suffix in (".py", ".sh", "") and path.is_file() and "runs" not in path.parts
           and is_script(path, path.read_text(errors="replace"))]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for path, lacks in zip(scripts, pool.map(lacks_help, scripts)):
        check(not lacks, f"{path.relative_to(ROOT)} does not answer --help")
check(len(scripts) > 50, f"{len(scripts)} scripts are looked at")
fresh = subprocess.run([sys.executable, "-B", str(ROOT / "docs/make_pages.py"), PROGRAM, "--check"], capture_output=True, text=True)
check(fresh.returncode == 0, f"docs/make_pages.py --check: {fresh.stdout}{fresh.stderr}")

# All can fail.
check(unknown_options("    ./run sweep --budgt 3m") == ["sweep --budgt"], "an unknown option is seen")
check(unknown_rows("| `--threshold 5%` | x |\n| `--nowhere` | x |") == ["--nowhere"], "and in a table")
check(unknown_options("Use `dwarfsweep compare A B --threshold 5% --nowhere`.") == ["compare --nowhere"], "and in a code span")
check(differing_code(page.replace("square(", "sqaure(")) == ["kernels_cl/template/template.cl"], "another code is seen")
check(broken_links(ROOT / "README.md", "[here](nowhere.md)") == ["nowhere.md"], "a broken link is seen")
check(scripts_that_do_not_run("    results/peers/problems.py x\n") == ["results/peers/problems.py"], "a script without its mode is seen")
with tempfile.TemporaryDirectory() as folder:
    for name, text in {"silent.sh": "#!/bin/sh\necho\n", "table.py": "import pandas\nprint('usage: ' + 50 * '-')\n"}.items():
        script = pathlib.Path(folder) / name
        script.write_text(text)
        check(lacks_help(script), f"that {name} does not answer --help is seen")
finish()
