"""`report` in a real browser: Debian's Chromium, driven by Selenium. The page asks for nothing, says nothing on the console, and is
whole without script; filter, hover, keyboard and address do what they say; hostile names stay text."""
import csv
import gzip
import json
import math
import pathlib
import subprocess
import time
import urllib.parse

from checks import PROGRAM, check, listed_dwarfs, run_checks
from browser import Browser

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

RUN = pathlib.Path(__file__).resolve().parent.parent / "results" / "reference" / "nvidia-large"
# The same points of each dwarf on every device (sweep --plan transfer).
TRANSFER = [RUN.parent / name for name in ("transfer-nvidia", "transfer-pocl", "transfer-pocl-2core", "transfer-intel-2core")]
MAX_BYTES = 600_000
SECTIONS = "verdict trust overview roofline dwarfs payoff left-out rows method".split()  # of one device, without an older run
HOSTILE = "<img src=x onerror=\"window.hacked=1\"></script><script>window.hacked=1</script>"


def write_report(out, *runs, options=()):
    done = subprocess.run([PROGRAM, "report", *map(str, runs), "--out", str(out), *options], capture_output=True, text=True)
    check(done.returncode == 0 and done.stdout == f"{out}\n", f"report {runs}: {done.stdout} {done.stderr}")


def as_today(row, dwarfs):
    """A row of a run that is older than some axes and columns, as the report should show it."""
    given = dict(part.split("=") for part in row["options"].split(";") if part)
    axes = [axis for axis in dwarfs[row["dwarf"]]["axes"] if axis["name"] not in row]
    row["options"] = ";".join(f"{axis['name']}={given.get(axis['name'], axis['baseline'])}" for axis in axes)
    row["reference"] = "baseline" if row["speedup"] else ""
    if row["dwarf"] == "crc":
        row["problem"] += ";code=crc32"
    return row


def rows_of(run):
    with gzip.open(run / "measurements.csv.gz", "rt", newline="") as file:
        return list(csv.DictReader(file))


def hostile_run(folder):
    """The reference run with a device, host, driver and reasons that are markup."""
    run = folder / "hostile"
    run.mkdir()
    rows = rows_of(RUN)
    for row in rows:
        for name in ("device", "host", "driver", "platform"):
            row[name] = HOSTILE
        row["reason"] = row["reason"] and HOSTILE + row["reason"]
    with open(run / "measurements.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return run


def doubtful_run(folder, name, busy):
    """lud of the reference run, from a device whose clock is not linear, on a busy host."""
    run = folder / name
    run.mkdir()
    rows = [row for row in rows_of(RUN) if row["dwarf"] == "lud"]
    for row in rows:
        row["run_id"] = name
    with open(run / "measurements.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    description = json.loads((RUN / "run.json").read_text())
    description["run_id"] = name
    description["warnings"] = [f"other programs kept {busy} of the 16 CPUs busy"]
    description["devices"][0]["selftest"]["linearity"] = 1.382
    (run / "run.json").write_text(json.dumps(description))
    return run


def prepare(folder):
    write_report(folder / "report.html", RUN)
    write_report(folder / "two.html", RUN, RUN.parent / "pocl-small")
    write_report(folder / "older.html", TRANSFER[0])
    write_report(folder / "same.html", RUN, TRANSFER[0])
    write_report(folder / "labels.html", RUN, TRANSFER[0], options=["--label", HOSTILE, "--label", "medium"])
    write_report(folder / "transfer.html", *TRANSFER)
    write_report(folder / "hostile.html", hostile_run(folder))
    write_report(folder / "doubtful.html", doubtful_run(folder, "first", 1.2), doubtful_run(folder, "second", 9.5))
    return [rows_of(RUN), Browser(folder)]


def asks_for_nothing(folder, _, browser):
    size = (folder / "report.html").stat().st_size
    check(size < MAX_BYTES, f"the report has {size} bytes, at most {MAX_BYTES} are allowed")
    for page in ("report.html", "two.html", "transfer.html", "hostile.html"):
        browser.resize(1280)
        browser.check_quiet(page)


def same_number(text, expected):
    return text == expected or math.isclose(float(text), float(expected), rel_tol=1e-5)


def filters(_, rows, browser):
    browser.open("report.html")
    Select(browser.one("#bar [name=dwarf]")).select_by_value("lud")
    expected = [row for row in rows if row["dwarf"] == "lud" and row["kernel"] == "total"]
    shown = browser.run("return [...document.querySelectorAll('#all-rows tbody tr')].map(tr => Number(tr.dataset.row))")
    check([rows[i] for i in shown] == expected, f"lud: {len(shown)} rows, {len(expected)} expected")
    check(f"{len(expected)} of {len(rows)}" in browser.one("#count").text, browser.one("#count").text)
    visible = browser.run("return [...document.querySelectorAll('article')].filter(a => a.offsetHeight).map(a => a.id)")
    check(visible == ["d-lud"], f"articles {visible}")
    browser.one("#bar [name=q]").send_keys("dataflow panel=32")
    shown = browser.run("return [...document.querySelectorAll('#all-rows tbody tr')].map(tr => Number(tr.dataset.row))")
    check([rows[i]["variant"] + rows[i]["options"] for i in shown] ==
          [row["variant"] + row["options"] for row in expected if row["variant"] == "dataflow" and "panel=32" in row["options"]],
          f"search: {shown}")
    browser.run("document.querySelector('#bar [name=q]').value = ''; "
                "document.querySelector('#bar [name=q]').dispatchEvent(new Event('input'))")
    browser.run("document.querySelector('#all-rows button[data-sort=speedup]').click()")
    browser.run("document.querySelector('#all-rows button[data-sort=speedup]').click()")
    shown = browser.run("return [...document.querySelectorAll('#all-rows tbody tr')].map(tr => Number(tr.dataset.row))")
    speedups = [float(rows[i]["speedup"]) for i in shown if rows[i]["speedup"]]
    check(len(speedups) > 10 and speedups == sorted(speedups, reverse=True), f"sorted: {speedups}")


def saves_csv(folder, rows, browser):
    saves_rows_of(folder, browser, "report.html", rows)


def completes_older_rows(folder, _, browser):
    dwarfs = listed_dwarfs()
    saves_rows_of(folder, browser, "older.html", [as_today(row, dwarfs) for row in rows_of(TRANSFER[0])])


def saves_rows_of(folder, browser, page, rows):
    (folder / "rows.csv").unlink(missing_ok=True)
    browser.open(page, "#dwarf=crc&kernel=")
    browser.run("document.getElementById('csv').click()")
    for _ in range(50):
        if (folder / "rows.csv").exists():
            break
        time.sleep(0.1)
    with open(folder / "rows.csv", newline="") as file:
        saved = list(csv.DictReader(file))
    expected = [row for row in rows if row["dwarf"] == "crc"]
    check(len(saved) == len(expected) and saved[0].keys() == expected[0].keys(), f"{len(saved)} rows saved")
    for ours, theirs in zip(saved, expected):
        wrong = [name for name in theirs if ours[name] != theirs[name] and
                 not (ours[name] and theirs[name] and name != "reason" and same_number(ours[name], theirs[name]))]
        check(not wrong, f"saved row differs in {wrong}")


def hover_shows_the_row(_, rows, browser):
    browser.open("report.html")
    for link in browser.all("#overview svg a.pt")[:4] + browser.all("#payoff svg a.pt")[:3] + browser.all("table.settings a.pt")[:3]:
        row = rows[int(link.get_dom_attribute("href").split("#r")[1])]
        browser.run("arguments[0].scrollIntoView({block: 'center'})", link)
        time.sleep(0.05)
        ActionChains(browser.driver).move_by_offset(0, 0).move_to_element(link).perform()
        tip = browser.run("return document.getElementById('tip').textContent")
        told = dict(line.split(": ", 1) for line in tip.splitlines() if ": " in line)
        check(tip.startswith(f"{row['dwarf']}, {row['problem']}, {row['device']}"), f"hover: {tip}")
        for name in ("median_ns", "ci_low_ns", "speedup", "speedup_low", "speedup_high", "peak_fraction"):
            check(not row[name] or same_number(told.get(name, "nan"), row[name]), f"{name}: hover {told.get(name)}, CSV {row[name]}")
        check(told.get("verdict", "") == row["verdict"], f"verdict {told}")


def address_keeps_the_state(_, rows, browser):
    point = next(i for i, row in enumerate(rows) if row["dwarf"] == "lud" and row["stop_reason"] == "confirmed" and row["kernel"] == "total")
    browser.open("report.html", f"#dwarf=lud&sort=median_ns&dir=up&point={point}")
    for again in (False, True):
        if again:
            browser.driver.refresh()
        check(browser.one("#bar [name=dwarf]").get_attribute("value") == "lud", "the filter is not restored")
        facts = {node.get_attribute("data-column"): node.text for node in browser.all("#panel dd")}
        check(all(facts.get(name) == rows[point][name] for name in ("dwarf", "variant", "options", "verdict", "program_id")), f"{facts}")
        check(same_number(facts.get("median_ns", "nan"), rows[point]["median_ns"]), f"{facts}")
        first = int(browser.one("#all-rows tbody tr").get_attribute("data-row"))
        fastest = min((float(row["median_ns"]), i) for i, row in enumerate(rows)
                      if row["dwarf"] == "lud" and row["kernel"] == "total" and row["median_ns"])[1]
        check(first == fastest, f"sorted by time, row {first} comes first, not {fastest}")
    Select(browser.one("#bar [name=status]")).select_by_value("rejected")
    hash_of = urllib.parse.parse_qs(browser.run("return location.hash.slice(1)"))
    check(hash_of.get("status") == ["rejected"] and hash_of.get("dwarf") == ["lud"], f"{hash_of}")
    browser.open("report.html", "#dwarf=%E0%A4%A&point=999999&nothing=1")
    check(browser.driver.get_log("browser") == [] and not browser.all("#panel"), "a broken address does harm")


def keyboard_reaches_every_point(_, rows, browser):
    browser.open("report.html")
    browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
    unreachable = browser.run(
        "return [...document.querySelectorAll('a.pt')].filter(a => { a.focus(); return document.activeElement !== a; }).length")
    check(unreachable == 0, f"{unreachable} points cannot be focused")
    lost = browser.run("return [...document.querySelectorAll('section a.pt')].map(a => a.getAttribute('href').slice(1))"
                       ".filter(id => !document.getElementById(id)).length")
    check(lost == 0, f"{lost} links lead to no row")
    browser.run("document.querySelector('#overview svg a.pt').focus()")
    first = browser.run("return document.activeElement.getAttribute('href')")
    keys = ActionChains(browser.driver)
    keys.send_keys(Keys.TAB).perform()
    second = browser.run("return document.activeElement.getAttribute('href')")
    check(second and second != first, f"tab leads from {first} to {second}")
    check(browser.run("return !document.getElementById('tip').classList.contains('hidden')"), "no tip on focus")
    ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
    facts = {node.get_attribute("data-column"): node.text for node in browser.all("#panel dd")}
    check(facts.get("options") == rows[int(second[2:])]["options"], f"enter shows {facts}")
    ActionChains(browser.driver).send_keys(Keys.ESCAPE).perform()
    check(not browser.all("#panel") and browser.run("return document.activeElement.getAttribute('href')") == second,
          "escape does not lead back to the point")


def number_of(text):
    return float(text.split()[0]) if text and (text[0].isdigit()) else 0.0


def portability_is_told(_, __, browser):
    """Efficiencies by hand, their harmonic means, and no cell that was not asked."""
    speedups = {}
    for place, run in enumerate(TRANSFER):
        for row in rows_of(run):
            if row["kernel"] == "total" and row["dwarf"] == "lud" and row["stop_reason"] == "confirmed" and row["verdict"] == "faster":
                speedups[place] = max(speedups.get(place, 0), float(row["speedup"]))
    check(len(speedups) == len(TRANSFER), f"the best points of lud were re-measured on {speedups}")
    browser.open("transfer.html")
    tables = browser.run("return [...document.querySelectorAll('#portability table')].map(table => "
                         "[...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent)))")
    _, matrix, efficiencies = tables
    check([len(row) for row in matrix] == [len(TRANSFER) + 1] * len(TRANSFER), f"transfer matrix: {matrix}")
    check(not any("not asked" in cell for table in tables for row in table for cell in row), "a cell was not asked")
    dwarfs = {row[0].split()[0] for row in efficiencies}
    check(len(dwarfs) == 9, f"portability of {dwarfs}")
    for row in efficiencies:
        shares = [number_of(cell) for cell in row[6:]]
        if any("not run" in cell for cell in row[6:]):
            continue
        by_hand = 0 if min(shares) == 0 else len(shares) / sum(1 / share for share in shares)
        check(math.isclose(number_of(row[2]), by_hand, rel_tol=0.06, abs_tol=0.005), f"PP {by_hand} by hand: {row}")
        check(math.isclose(number_of(row[4]), min(shares), rel_tol=0.01), f"the least: {row}")
    baseline = next(row for row in efficiencies if row[:2] == ["lud (medium)", "baseline"])
    for place, speedup in speedups.items():
        check(math.isclose(number_of(baseline[6 + place]), 1 / speedup, rel_tol=0.06), f"1/{speedup}: {baseline}")
    points = browser.run("return document.querySelectorAll('#portability svg a.pt').length")
    check(points > 9 * len(TRANSFER), f"cascades have {points} points")
    lost = browser.run("return [...document.querySelectorAll('#portability a.pt')].map(a => a.getAttribute('href').slice(1))"
                       ".filter(id => !document.getElementById(id)).length")
    check(lost == 0, f"{lost} points of cascades lead to no row")
    check("Does one setting suit all devices?" in browser.one("#verdict").text, "the first screen does not say it")


def names_devices(_, __, browser):
    """Short names, which --label replaces; runs of one device are one column."""
    for page, title in (("report.html", "9 dwarfs on H200"), ("same.html", "9 dwarfs on H200"),
                        ("two.html", "9 dwarfs on H200; Xeon 16 cores, PoCL 5.0"), ("transfer.html", "9 dwarfs on 4 devices"),
                        ("labels.html", f"9 dwarfs on {HOSTILE}; medium")):
        browser.open(page)
        check(browser.one("h1").text == title, f"{page}: {browser.one('h1').text}")
        check(browser.driver.title == "dwarfsweep: " + title, f"{page}: {browser.driver.title}")
    check(browser.run("return window.hacked === undefined"), "a label ran as a script")


def a_mark_means_one_thing(_, __, browser):
    """No point of this run failed, so the mark of failures is nowhere; where points failed, it is."""
    browser.open("report.html")
    check("✕" not in browser.run("return document.querySelector('main').textContent"), "✕ means something else than failure")
    check("re-measured" in browser.one("#d-lud table.settings").text, "the best candidate's row is not marked")
    browser.open("two.html")
    check("✕ failed: crashed" in browser.one("#left-out").text, browser.one("#left-out").text[:200])


def grades_are_founded(_, __, browser):
    """Limits of the self-test are printed and judged; one dwarf and several runs of a device read naturally."""
    browser.open("report.html")
    linearity = json.loads((RUN / "run.json").read_text())["devices"][0]["selftest"]["linearity"]
    check(f"✓ self-test: ten times the work takes {10 * linearity:.2f} times as long, 9 to 11 is expected"
          in browser.one("#trust").text, browser.one("#trust").text)
    browser.open("doubtful.html")
    trust, verdict = browser.one("#trust").text, browser.one("#verdict").text
    check("! self-test: ten times the work takes 13.82 times as long, 9 to 11 is expected" in trust, trust)
    check(trust.count("CPUs busy") == 1 and "in 2 runs, such as the first: other programs kept 1.2" in trust, trust)
    check("the best setting of lud is " in verdict and "geometric mean" not in verdict, verdict)


def folds_by_reason(_, rows, browser):
    """Settings without a time stand below their reason, each with its count."""
    browser.open("report.html")
    folds = browser.run("return [...document.querySelectorAll('#d-lud details details')].map(each => "
                        "[each.querySelector('summary').textContent, each.querySelectorAll('tbody tr').length])")
    untried = [row for row in rows if row["dwarf"] == "lud" and row["kernel"] == "total" and row["status"] in ("rejected", "not_run", "unsupported")]
    check(len(untried) > 3 and sum(count for _, count in folds) == len(untried), f"{folds}, {len(untried)} rows")
    check(all(summary.startswith(f"{count} × ") for summary, count in folds), f"{folds}")
    check(len(folds) == len({(row["status"], row["reason"]) for row in untried}), f"{folds}")


def whole_on_paper(_, __, browser):
    """What is folded on the screen is printed."""
    browser.open("report.html")
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    check(browser.run("return document.querySelectorAll('details:not([open])').length") == 0, "something stays folded on paper")


def whole_without_script(_, rows, browser):
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open("report.html")
        check([node.get_attribute("id") for node in browser.all("main > section")] == SECTIONS, "sections")
        check(not browser.all("#bar"), "the script ran")
        text = browser.one("main").text
        best = next(row for row in rows if row["dwarf"] == "lud" and row["variant"] == "dataflow" and row["kernel"] == "total"
                    and row["stop_reason"] == "confirmed")
        for part in (f"{float(best['speedup']):#.3g}x", "dataflow", "Without script"):
            check(part in text, f"'{part}' is missing without script")
        points = sum(row["kernel"] == "total" and row["device_type"] != "host" for row in rows)
        check(len(browser.all("table.settings tbody tr")) == points, f"{points} points expected")
        check(len(browser.all("figure svg")) > 20, "figures are missing")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def fits_any_width(_, __, browser):
    colours = set()
    for page in ("report.html", "two.html", "transfer.html", "hostile.html"):
        for width in (360, 1280):
            for dark in (False, True):
                browser.resize(width, dark)
                browser.open(page)
                wide = browser.run("return document.documentElement.scrollWidth")
                check(wide <= width, f"{page} at {width} pixels is {wide} wide")
                colours.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
    check(len(colours) == 2, f"light and dark: {colours}")
    browser.resize(1280)


def hostile_names_stay_text(_, __, browser):
    browser.open("hostile.html", "#point=3&dwarf=lud")
    check(browser.run("return window.hacked === undefined"), "a name ran as a script")
    check(browser.run("return document.querySelectorAll('img, iframe, object').length") == 0, "a name became an element")
    check(HOSTILE in browser.one("#panel").text, "the panel does not show the name")
    check(HOSTILE in browser.one("#verdict").text, "the verdict does not show the name")
    check(browser.driver.get_log("browser") == [], "the console is not empty")


def is_told_what_it_lacks(*_):
    for arguments, words in ((["report"], "needs the folder of a run"), (["report", "nowhere"], "nowhere"),
                             (["report", str(RUN), "--against", "nowhere"], "nowhere"),
                             (["report", str(RUN), "--out", "no/such/folder.html"], "no/such/folder.html")):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
        check(done.returncode in (1, 2) and words in done.stderr and not done.stdout, f"{arguments}: {done.returncode} {done.stderr}")


run_checks([asks_for_nothing, filters, saves_csv, completes_older_rows, hover_shows_the_row, address_keeps_the_state, keyboard_reaches_every_point,
            portability_is_told, names_devices, a_mark_means_one_thing, grades_are_founded, folds_by_reason, whole_on_paper, whole_without_script, fits_any_width, hostile_names_stay_text, is_told_what_it_lacks], prepare)
