"""Pages in a real browser: Debian's Chromium, driven by Selenium."""
import atexit
import http.server
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from checks import check


class Browser:
    """A browser, and a server of the present folder that counts what it is asked for."""

    def __init__(self, folder):
        self.folder, self.requests = folder, []
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        atexit.register(self.driver.quit)
        requests = self.requests

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                requests.append(self.path)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def resize(self, width, dark=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def open(self, page, fragment=""):
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.requests.clear()
        self.driver.get(f"http://127.0.0.1:{self.server.server_port}/{page}{fragment}")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def check_quiet(self, page):
        """Opens the page, which asks for nothing else and says nothing on the console; prints how long that took."""
        self.open(page)
        time.sleep(0.3)
        check(self.requests == [f"/{page}"], f"{page}: requests {self.requests}")
        log = self.driver.get_log("browser")
        check(log == [], f"{page}: console {log}")
        opened = self.run("return performance.getEntriesByType('navigation')[0].loadEventEnd")
        print(f"{page}: {(self.folder / page).stat().st_size} bytes, open after {opened:.0f} ms")
