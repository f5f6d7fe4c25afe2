"""Efficiencies of settings on several devices.

Of an application on a device: the shortest time there over its time; 0 where it cannot run. Performance portability is the
harmonic mean of these (Pennycook, Sewall and Lee, arXiv 1611.07409), and 0 where one of them is. Settings that were not
tried on every device have none."""

import math

import runs


def portability_of(efficiencies):
    return 0.0 if min(efficiencies) <= 0 else len(efficiencies) / sum(1 / each for each in efficiencies)


def ported_problems(table):
    """Of each dwarf the first problem that two devices or more have: {"dwarf", "size", "problem", "columns", "settings"};
    settings are [{"config", "baseline", "rows": {column: row}, "efficiencies": [by column], "portability"}]."""
    total = runs.whole_results(table[(table["kernel"] == "total") & (table["device_type"] != "host")
                                     & (table["status"] != "not_run")])
    found = {}
    for (dwarf, size, problem), own in total.groupby(["dwarf", "size", "problem"], sort=False):
        timed = own[own["status"] == "ok"]
        columns = list(dict.fromkeys(timed["column"]))
        if len(columns) < 2 or len(columns) <= len(found.get(dwarf, {}).get("columns", [])):
            continue
        if len(timed.drop_duplicates(["device", "driver", "host"])) < 2:
            continue  # several runs of one device
        found[dwarf] = {"dwarf": dwarf, "size": size, "problem": problem, "columns": columns,
                        "settings": settings_of(own[own["column"].isin(columns)], columns)}
    return [ported for ported in found.values() if ported["settings"]]


def settings_of(own, columns):
    best = own[own["status"] == "ok"].groupby("column")["median_ns"].min()
    settings = []
    for config, rows in own.groupby("config", sort=False):
        by_column = {row["column"]: row for _, row in rows.iterrows()}
        if set(by_column) != set(columns):
            continue
        efficiencies = [best[column] / by_column[column]["median_ns"] if by_column[column]["status"] == "ok" else 0.0
                        for column in columns]
        if max(efficiencies) > 0:
            settings.append({"config": config, "baseline": bool(rows["baseline"].any()), "rows": by_column,
                             "efficiencies": efficiencies, "portability": portability_of(efficiencies)})
    return settings


def most_portable(ported):
    """None where no setting runs on all devices."""
    best = max(ported["settings"], key=lambda setting: setting["portability"])
    return best if best["portability"] > 0 else None


def notable_settings(ported):
    """[(name, setting)]: the baseline, the most portable one and each device's best among those tried everywhere."""
    chosen = {}
    single = most_portable(ported)
    for setting in ported["settings"]:
        if setting["baseline"]:
            chosen[setting["config"]] = ("baseline", setting)
    if single is not None:
        chosen.setdefault(single["config"], ("best single setting", single))
    for place, _ in enumerate(ported["columns"]):
        best = max(ported["settings"], key=lambda setting: setting["efficiencies"][place])
        if best["efficiencies"][place] > 0:
            chosen.setdefault(best["config"], (f"best of device {place + 1}", best))
    return list(chosen.values())


def mean(values):
    return math.fsum(values) / len(values)
