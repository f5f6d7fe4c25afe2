"""CITATION.cff is the part of YAML that it needs, and has what the format asks for. CITATION.cff, CHANGELOG.md and the program
name the version in CMakeLists.txt, the first two with the same date. results/atlas/released.csv has each released version."""
import pathlib
import re
import subprocess

from checks import PROGRAM, check, finish

ROOT = pathlib.Path(__file__).resolve().parent.parent


def parse(text):
    """Keys at the left margin, with a plain text, a folded text (>-) or a list, whose items may be `key: text`. Any
    other line is None's."""
    result, key = {}, None
    for line in text.splitlines():
        if match := re.fullmatch(r"([a-z][a-z-]*):(?: (.+))?", line):
            key = match[1]
            check(key not in result, f"{key} is there twice")
            result[key] = "" if match[2] == ">-" else match[2] if match[2] else []
        elif match := re.fullmatch(r"  - (?:([a-z-]+): )?(.+)", line):
            if check(isinstance(result.get(key), list), f"a list item below a text: {line}"):
                result[key].append({match[1]: match[2]} if match[1] else match[2])
        elif (match := re.fullmatch(r"  (\S.*)", line)) and isinstance(result.get(key), str):
            result[key] = f"{result[key]} {match[1]}".strip()
        else:
            result.setdefault(None, []).append(line)
    return result


def texts_of(value):
    if isinstance(value, dict):
        return [text for each in value.values() for text in texts_of(each)]
    return [text for each in value for text in texts_of(each)] if isinstance(value, list) else [value]


text = (ROOT / "CITATION.cff").read_text()
citation = parse(text)
check(None not in citation, f"lines that are not understood: {citation.get(None)}")
# What a plain scalar of YAML must not hold, and what it must not begin with.
odd = [value for value in texts_of(citation) if re.search(r": |\s#", value) or value[0] in "&*!|>'\"%@`{}[],?-#"]
check(not odd, f"these need quotes in YAML: {odd}")
for key in ("message", "title", "abstract"):
    check(isinstance(citation.get(key), str) and citation[key], f"{key} is a text")
check(citation.get("cff-version") == "1.2.0" and citation.get("type") == "software",
      "a file of version 1.2.0 for software")
check(citation.get("license") == "BSD-3-Clause" and "BSD 3-Clause" in (ROOT / "LICENSE").read_text()[:80],
      "the licence")
check(citation.get("keywords") and citation.get("authors") == [{"name": "The dwarfsweep authors"}],
      "authors and keywords")
version = re.search(r"project\(dwarfsweep VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
check(citation.get("version") == version, f"version {citation.get('version')}, but CMakeLists.txt has {version}")
printed = subprocess.run([PROGRAM, "-V"], capture_output=True, text=True).stdout
check(printed.startswith(f"dwarfsweep {version}, revision "), f"the program prints {printed}")
newest = re.search(r"^## (\S+)(?: \((\S+)\))?$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
check(newest[1] == version, f"the newest version in CHANGELOG.md is {newest[1]}, but CMakeLists.txt has {version}")
check(citation.get("date-released") == newest[2] and re.fullmatch(r"20\d\d-\d\d-\d\d", newest[2] or ""),
      f"dates: CITATION.cff {citation.get('date-released')}, CHANGELOG.md {newest[2]}")
releases = re.findall(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
header, *lines = (ROOT / "results/atlas/released.csv").read_text().splitlines()
listed = [line.split(",")[0] for line in lines]
check(header == "version,kernels" and all(re.fullmatch(r"[^,]+,[0-9a-f]{16}", line) for line in lines),
      "released.csv has a version and the hash of its kernels in each line")
check(set(releases) - {version} <= set(listed) <= set(releases),
      f"released.csv has the versions {listed}; CHANGELOG.md has {releases}, of which {version} may still change")
try:
    import yaml
except ImportError:
    pass
else:
    check(yaml.safe_load(text).keys() == citation.keys(), "YAML reads the same keys")
finish()
