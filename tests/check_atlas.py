"""An atlas of bundles that do not exist, by `intake`'s summaries: pages, tables, the matrix of devices and dwarfs, the own run among
all, best points for `--plan best`; and the largest page in a browser.

`check_atlas.py --long` makes it of a thousand bundles of 400 rows and 2,400 samples, and prints seconds, memory and sizes. The time
for the pages is bounded by a multiple of the time in which Python reads the same summaries. Any other argument names the checks to do."""
import concurrent.futures
import csv
import html
import json
import os
import re
import subprocess
import sys
import time

from checks import PROGRAM, check, run_checks
from simulated_fleet import write_fleet

LONG = "--long" in sys.argv
BUNDLES, POINTS = (1000, 400) if LONG else (24, 40)
MAX_PAGE_BYTES, MAX_MEMORY_MIB = 1_000_000, 1024
MOST_READINGS = 50  # with --long: three times what was seen, 15


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600, **options)


def measured(*command):
    """Output, and seconds of a processor; the status must be 0, and the memory within the limit."""
    begin = time.monotonic()
    with open("output", "w+") as output:
        process = subprocess.Popen([PROGRAM, *map(str, command)], stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    print(f"{command[0]}: {time.monotonic() - begin:.1f} s, {usage.ru_utime:.1f} s of a processor, "
          f"{usage.ru_maxrss / 1024:.0f} MiB", flush=True)
    check(process.returncode == 0, f"{command[0]}: {process.returncode} {text[-1000:]}")
    # A sanitizer's own memory is no measure.
    check("SANITIZED" in os.environ or usage.ru_maxrss / 1024 < MAX_MEMORY_MIB, f"{command[0]} took {usage.ru_maxrss} KiB")
    return text, usage.ru_utime + usage.ru_stime


def share(node):
    done = run("share", node, "--out", node.parent.parent / "bundles" / f"{node.name}.dsb")
    check(done.returncode == 0, f"share {node}: {done.stderr}")


def prepare(folder):
    """A run of this machine, and the bundles of a fleet that has the same kernels."""
    own = folder / "own"
    done = run("sweep", "--dwarf", "crc,hotspot", "--size", "tiny", "--plan", "one-at-a-time", "--budget", "15s", "--rounds", "3",
               "--out", own)
    check(done.returncode == 0, f"sweep: {done.stderr}")
    kernels = json.loads((own / "run.json").read_text())["kernels"]
    # Names of devices may be markup.
    write_fleet(folder / "nodes", BUNDLES, POINTS, device="Made-up <b>device %d", blocks=3, kernels=kernels)
    (folder / "bundles").mkdir()
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(share, sorted((folder / "nodes").iterdir())))
    print(f"{BUNDLES} bundles: {time.monotonic() - begin:.1f} s", flush=True)
    bundles = sorted((folder / "bundles").iterdir())
    text, _ = measured("intake", *bundles, "--summaries", folder / "summaries")
    others = [line for line in text.splitlines() if re.search(r"\.dsb: (?!accepted \(1 runs)|refused: |doubtful: ", line)]
    check(text.count(": accepted (1 runs") == BUNDLES, f"intake: {others or text[-1000:]}")
    summaries = sorted((folder / "summaries").iterdir())
    check(len(summaries) == BUNDLES, f"{len(summaries)} summaries")
    print(f"summaries: {max(path.stat().st_size for path in summaries)} bytes at most")
    _, seconds = measured("atlas", *summaries, own, "--out", folder / "site")
    begin = time.process_time()
    for path in summaries:
        json.loads(path.read_bytes())
    reading = time.process_time() - begin
    print(f"Python reads the summaries in {1000 * reading:.0f} ms; the atlas takes {seconds / reading:.1f} times as long")
    check(not LONG or "SANITIZED" in os.environ or seconds < MOST_READINGS * reading, f"{seconds:.1f} s for the pages")
    return [own, bundles, summaries, folder / "site"]


def pages_of(site):
    return {path.name: path.read_text() for path in sorted(site.glob("*.html"))}


def rows_of(site):
    with open(site / "atlas.csv", newline="") as file:
        return list(csv.DictReader(file))


def pages_are_whole(folder, own, _bundles, summaries, site):
    rows, pages = rows_of(site), pages_of(site)
    devices = {(row["device"], row["platform"]) for row in rows}
    dwarfs = {row["dwarf"] for row in rows}
    check(len(devices) == BUNDLES + 1 and len(rows) == 8 * BUNDLES + 2, f"{len(rows)} points of {len(devices)} devices")
    files = [json.loads(path.read_text()) for path in (site / "devices").iterdir()]
    check(sum(len(each["points"]) for each in files) == len(rows) and len(files) == len(devices), "a JSON for each device")
    kinds = [sum(name.startswith(kind) for name in pages) for kind in ("device-", "dwarf-", "index", "yours")]
    check(kinds == [len(devices), len(dwarfs), 1, 1], f"pages: {kinds}")
    sizes = {name: len(page.encode()) for name, page in pages.items()}
    largest = max(sizes, key=sizes.get)
    print(f"{len(pages)} pages; the largest, {largest}, has {sizes[largest]} bytes")
    anchors = {name: set(re.findall(r' id="([^"]*)"', page)) for name, page in pages.items()}
    for name, page in pages.items():
        check(sizes[name] < MAX_PAGE_BYTES, f"{name}: {sizes[name]} bytes")
        check("<b>device" not in page, f"{name}: a device's name is markup")
        check(not re.search(r"https?://(?!www.w3.org)", page), f"{name} names another site")
        for target in set(re.findall(r'(?:href|src)="([^"]*)"', page)) - {"data:,"}:
            file, _, anchor = target.partition("#")
            known = (site / file).exists() and (not anchor or anchor in anchors[file or name])
            check(known, f"{name} links to '{target}'")
    again = folder / "again"
    run("atlas", *summaries, own, "--out", again)
    check(pages_of(again) == pages, "the same sources make the same pages")


def devices_are_ranked(_, _own, _bundles, _summaries, site):
    rows = [row for row in rows_of(site) if row["dwarf"] == "crc" and row["size"] == "large"]
    ranked = [html.escape(row["device"]) for row in sorted(rows, key=lambda row: float(row["median_ns"]))]
    page, = (page for name, page in pages_of(site).items() if name.startswith("dwarf-crc"))
    table = page.split("<caption><span>crc, large")[1].split("</table>")[0]
    shown = re.findall(r'<th scope="row"><a [^>]*>([^<]*)</a>', table)
    check(shown == ranked[:len(shown)] and len(shown) > 20, f"devices in the order of their times: {shown[:5]}")
    for part in ("Settings that win: crc, large", "Portability of variants: crc, large", "Fastest in crc, large"):
        check(part in page, f"crc has no '{part}'")
    page = next(page for name, page in pages_of(site).items() if name.startswith("device-made-up"))
    for part in ("What pays off", "granularity=", "other devices with this setting", "accepted", "node000"):
        check(part in page, f"a device has no '{part}'")
    lud, = (page for name, page in pages_of(site).items() if name.startswith("dwarf-lud"))
    check("Published figures" in lud and "thesis_2013" in lud, "lud has the papers' figures")


def bundles_and_summaries_agree(folder, _own, bundles, summaries, _site):
    few = sorted(bundles)[:5]
    run("atlas", *few, "--out", folder / "by-bundle")
    run("atlas", *summaries[:5], "--out", folder / "by-summary")
    by_bundle, by_summary = rows_of(folder / "by-bundle"), rows_of(folder / "by-summary")
    check({row.pop("verdict") for row in by_bundle} == {""} and {row.pop("verdict") for row in by_summary} == {"accepted"},
          "the verdict of each point's source")
    check(by_bundle == by_summary, "a summary has the points of its bundle")
    summary = json.loads(summaries[0].read_text())
    for name, text, sentence in (("no", "{}", "is not a summary"), ("broken", "{" * 9, "is not a summary"),
                                 ("newer", json.dumps(summary | {"schema_version": 9}), "it is of another version"),
                                 ("timeless", json.dumps(summary | {"points": [{"variants": {}}]}), "a point has no time")):
        path = folder / f"{name}.json"
        path.write_text(text)
        done = run("atlas", path, "--out", folder / "x")
        check(done.returncode == 2 and sentence in done.stderr, f"{name}: {done.returncode} {done.stderr}")


def the_own_run_is_among_all(folder, own, _bundles, summaries, site):
    page = pages_of(site)["yours.html"]
    for part in ("rank by time", "rank by share of peak", "1 of 1", "<svg", "best of others on your device"):
        check(part in page, f"yours.html has no '{part}'")
    # Where another source was faster on the same device, the own run keeps its line.
    summary = json.loads(summaries[0].read_text())
    device = json.loads(next(path for path in (site / "devices").iterdir() if "made-up" not in path.name).read_text())
    summary["points"] = [point | {"median_ns": point["median_ns"] / 2, "variants": {}} for point in device["points"]]
    (folder / "faster.json").write_text(json.dumps(summary))
    run("atlas", folder / "faster.json", own, "--out", folder / "faster")
    page = pages_of(folder / "faster")["yours.html"]
    lines = re.findall(r"<tr><th scope=\"row\">.*?</tr>", page)
    check(len(lines) == 2 and all("1 of 1" in line and ">0.50</td>" in line for line in lines), f"faster elsewhere: {lines}")


def the_matrix_compares_all(_, _own, _bundles, _summaries, site):
    found = pages_of(site)
    pages = [found[name] for name in sorted(found, key=lambda name: (len(name), name)) if name.startswith("matrix")]
    lines = [line for page in pages for line in re.findall(r"<tr><th scope=\"row\">.*?</tr>", page)]
    check(len(lines) == BUNDLES + 1, f"{len(lines)} devices")
    for page in pages:
        head = re.findall(r'<th scope="col">([^<]*)</th>', page)
        check(head[:2] == ["device", "median"] and len(head) == 2 + 9, f"columns: {head}")
        check("<caption>" in page, "the matrix has a caption")
    cells = [re.findall(r'<td class="n">(.*?)</td>', line) for line in lines]
    links = sum(cell.startswith('<a href="device-') for line in cells for cell in line)
    check(links == 8 * BUNDLES + 2, f"{links} cells have a link")
    medians = [float(line[0].split()[0]) for line in cells if line[0]]
    check(medians == sorted(medians, reverse=True) and len(medians) >= BUNDLES, f"medians: {medians[:9]}")


def pages_work_in_a_browser(folder, _own, _bundles, _summaries, site):
    try:
        from browser import Browser, By  # pylint: disable=import-outside-toplevel
        from selenium.webdriver.common.keys import Keys  # pylint: disable=import-outside-toplevel
    except ImportError:
        print("without Selenium: left out")
        return
    os.chdir(folder)
    browser = Browser(folder)
    largest = max(site.glob("*.html"), key=lambda path: path.stat().st_size).name
    for page in {largest, "index.html", "matrix.html", "yours.html"}:
        browser.check_quiet(f"site/{page}")
    browser.open("site/matrix.html")
    first = "return document.querySelector('tbody tr').cells[arguments[0]].textContent"
    column = browser.run("return [...document.querySelectorAll('thead th')].findIndex(th => th.textContent.startsWith('lud'))")
    head = browser.all("thead th")[column]
    button = head.find_element(By.TAG_NAME, "button")
    shares = []
    for direction in ("ascending", "descending"):
        button.send_keys(Keys.ENTER)
        check(head.get_attribute("aria-sort") == direction, f"aria-sort: {head.get_attribute('aria-sort')}")
        shares.append(float(browser.run(first, column).split()[0]))
    check(shares[0] < shares[1], f"sorted by the keyboard: {shares}")
    roles = [browser.one(selector).aria_role for selector in ("table", "thead th", "tbody th", "tbody td a")]
    check(roles == ["table", "columnheader", "rowheader", "link"], f"roles: {roles}")
    field = browser.one("label input")
    check(field.accessible_name.startswith("Filter Share of the peak"), f"the filter's name: {field.accessible_name}")
    lines = "return [...document.querySelectorAll('tbody tr')].filter(row => "
    expected = browser.run(lines + "row.textContent.includes('device 7')).length")
    field.send_keys("Device 7")
    shown = browser.run(lines + "row.offsetHeight).length")
    check(shown == expected > 0, f"filtered: {shown} lines")
    link = next(each for each in browser.all("tbody td a") if each.is_displayed())
    link.send_keys(Keys.ENTER)
    anchor = browser.run("return document.activeElement && location.hash.slice(1)")
    found = browser.run("return document.getElementById(arguments[0]) !== null", anchor)
    check("/device-" in browser.driver.current_url and found, f"a cell links to {browser.driver.current_url}")


def best_points_come_from_an_atlas(folder, own, _bundles, _summaries, _site):
    site = folder / "own-site"
    run("atlas", own, "--out", site)
    file, = (site / "devices").iterdir()
    content = json.loads(file.read_text())
    point = next(each for each in content["points"] if each["dwarf"] == "crc")
    point["config"] = re.sub(r"granularity=\d+", "granularity=2", point["config"])
    file.write_text(json.dumps(content))
    options = ["--plan", "best", "--dwarf", "crc", "--size", "tiny", "--budget", "5s", "--no-device-figures"]
    fresh = dict(os.environ, DWARFSWEEP_BEST=str(folder / "no-best"))
    done = run("sweep", *options, "--atlas", site, "--out", folder / "by-atlas", env=fresh)
    records = [json.loads(line) for line in (folder / "by-atlas" / "log.jsonl").read_text().splitlines()]
    known = [record for record in records if record["type"] == "known"]
    origin = known[0]["origin"] if known else ""
    chosen = ";".join(f"{name}={value}" for name, value in known[0]["settings"]) if known else ""
    check(done.returncode == 0 and chosen == point["config"] and str(file) in origin, f"{chosen} of {origin}: {done.stderr}")
    for arguments, sentence in ((["sweep", "--atlas", site], "--atlas is for --plan best"),
                                (["sweep", *options, "--atlas", folder, "--out", folder / "x"], "is not an atlas"),
                                (["atlas", own], "needs bundles or runs and a folder")):
        done = run(*arguments)
        check(done.returncode == 2 and sentence in done.stderr, f"{arguments}: {done.returncode} {done.stderr}")


run_checks([pages_are_whole, devices_are_ranked, bundles_and_summaries_agree, the_own_run_is_among_all, the_matrix_compares_all,
            pages_work_in_a_browser, best_points_come_from_an_atlas], prepare)
