"""Documents and messages are in plain English: short sentences, and few of the phrases that have a plainer form.

Sentences are counted in all Markdown files but the tables of committed runs, without tables, code and CSV: over all files, and in each that has
20 of them or more. Phrases are counted there, in the help of every command, in the program's string literals of three words or more, and in what ./run prints.
`--list` names each."""
import re
import statistics
import subprocess
import sys

from checks import PROGRAM, ROOT, check, documents, finish

PAGES = documents()

MAX_MEDIAN_WORDS = 16
LONG = 30
FEWEST_SENTENCES = 20  # of a page, for its own median to count
MAX_LONG_SHARE = 0.06
MAX_HITS_PER_10000_WORDS = 5

PHRASES = re.compile("|".join(rf"\b{phrase}\b" for phrase in (
    r"tells?", r"told", r"beside", r"besides", r"of which", r"of whose", r"goes on", r"go on", r"by turns", r"is none of",
    r"so that nothing", r"for else", r"goes by", r"held to", r"have no place", r"has no place", r"need be", r"is no matter",
    r"anew", r"does without", r"do without", r"say by whom", r"what is a driver's fault", r"comes to nothing", r"named so",
    r"has least of", r"as it was")), re.IGNORECASE)


def prose(text):
    """The paragraphs and list items of a page, without code, tables, headings, comments and links' targets."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    lines = []
    for line in text.splitlines():
        if re.match(r"\s*\||#|    ", line):
            line = ""
        lines.append(re.sub(r"^\s*(?:[-*]|\d+\.) ", "\n", line))
    text = re.sub(r"\]\([^)]*\)", "]", "\n".join(lines))
    return re.sub(r"`[^`]*`", "code", text)


def sentences(text):
    """Lists of words."""
    found = []
    for paragraph in re.split(r"\n\s*\n", prose(text)):
        for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z`\"(*\[]|code)", " ".join(paragraph.split())):
            words = re.findall(r"[\w'’./%-]*\w[\w'’./%-]*", sentence)
            if len(words) > 1:
                found.append(words)
    return found


def literals(path):
    """String literals of three words or more, joined where they follow each other."""
    text = re.sub(r'"\s*\n\s*"', "", path.read_text())
    return [each for each in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text) if len(each.split()) >= 3]


def help_texts():
    """The man page has all texts of the help, names put in."""
    page = subprocess.run([PROGRAM, "help", "--man"], capture_output=True, text=True, check=True).stdout
    return re.sub(r"^\.\w+ ?", "", page, flags=re.MULTILINE).replace("\\-", "-")


def are_short(lengths, name):
    median = statistics.median(lengths)
    long = sum(length > LONG for length in lengths) / len(lengths)
    check(median <= MAX_MEDIAN_WORDS, f"{name}: the median sentence has {median} words")
    check(long <= MAX_LONG_SHARE, f"{name}: {100 * long:.1f} % of the sentences have more than {LONG} words")
    return f"{len(lengths)} sentences, median {median} words, {100 * long:.1f} % over {LONG}"


def main():
    by_page = {str(page.relative_to(ROOT)): [len(words) for words in sentences(page.read_text())] for page in PAGES}
    for name, lengths in by_page.items():
        if len(lengths) >= FEWEST_SENTENCES:
            are_short(lengths, name)
    print(are_short([length for lengths in by_page.values() for length in lengths], "all documents"))
    check({"tests/README.md", "results/peers/README.md", ".github/pull_request_template.md"} <= by_page.keys(), f"{sorted(by_page)}")
    sources = [path for folder in ("suite", "harness", "dwarfs") for path in sorted((ROOT / folder).rglob("*.[ch]pp"))]
    kinds = {"documents": {str(page.relative_to(ROOT)): prose(page.read_text()) for page in PAGES},
             "messages": {str(path.relative_to(ROOT)): "\n".join(literals(path)) for path in [*sources, ROOT / "run"]},
             "help": {"dwarfsweep": help_texts()}}
    for kind, texts in kinds.items():
        words = sum(len(text.split()) for text in texts.values())
        hits = [f"{name}: {hit[0]}" for name, text in texts.items() for hit in PHRASES.finditer(text)]
        rate = 1e4 * len(hits) / max(1, words)
        print(f"{kind}: {words} words, {len(hits)} hits, {rate:.1f} in 10,000")
        if "--list" in sys.argv:
            print("\n".join(hits))
        check(rate <= MAX_HITS_PER_10000_WORDS, f"{kind}: {rate:.1f} phrases in 10,000 words to replace; --list names them: {hits[:5]}")
    readme = (ROOT / "README.md").read_text()
    check(len(readme.splitlines()) <= 120 and len(readme.split()) <= 1300, "README.md has at most 120 lines and 1,300 words")
    # All can fail.
    check(len(sentences("One two three. Four five six.\n\n- seven eight\n")) == 3, "sentences are counted")
    check(len(PHRASES.findall("It tells what goes by beside it.")) == 3, "phrases are found")
    check(prose("| a b c |\n\n    code here\n\ntext stays") .split() == ["text", "stays"], "tables and code do not count")
    finish()


main()
