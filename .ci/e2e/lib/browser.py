"""Opens a page in headless Chromium at two widths and in both color schemes, and prints each fault as a line.

usage: browser.py URL DIRECTORY [AXE]

DIRECTORY gets a screenshot of each. AXE is the script of axe-core. Chromium is driven by the DevTools protocol over
a pipe: messages in JSON, each ended by a zero byte.
"""

import base64, json, os, subprocess, sys, tempfile

MAX_BYTES = 40_000  # of the page with all its files, as they are transferred

url, directory, axe = sys.argv[1], sys.argv[2], open(sys.argv[3]).read() if len(sys.argv) > 3 else None


class Browser:
    def __init__(self, profile):
        from_us, to_us = os.pipe(), os.pipe()
        # Chromium reads at descriptor 3 and writes to 4.
        keep = lambda: (os.dup2(from_us[0], 10), os.dup2(to_us[1], 11), os.dup2(10, 3), os.dup2(11, 4))
        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir=" + profile],
            preexec_fn=keep, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us[0])
        os.close(to_us[1])
        self.out, self.input, self.number, self.events = os.fdopen(from_us[1], "wb"), os.fdopen(to_us[0], "rb"), 0, []
        self.rest = b""

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.input.fileno(), 1 << 16)
            if not more:
                sys.exit("chromium has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self.out.write(json.dumps(message).encode() + b"\0")
        self.out.flush()
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, is_awaited):
        for event in self.events:
            if is_awaited(event):
                return
        while True:
            self.events.append(self.receive())
            if is_awaited(self.events[-1]):
                return


def look(browser, width, scheme, script=True):
    """Opens the page in a new tab and returns its faults."""
    name = f"web-{width}-{scheme}" + ("" if script else "-without-script")
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    call = lambda method, **params: browser.call(method, session, **params)
    for domain in ["Page", "Network", "Runtime", "Log"]:
        call(domain + ".enable")
    call("Page.setLifecycleEventsEnabled", enabled=True)
    call("Network.setCacheDisabled", cacheDisabled=True)
    call("Emulation.setScriptExecutionDisabled", value=not script)
    call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 700)
    call("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce" if width < 700 else "no-preference"}])
    browser.events = []
    loader = call("Page.navigate", url=url)["loaderId"]
    browser.wait(lambda e: e["method"] == "Page.lifecycleEvent" and e["params"]["name"] == "networkIdle"
                 and e["params"]["loaderId"] == loader)
    faults, size = [], 0
    for event in browser.events:
        params = event["params"]
        match event["method"]:
            case "Network.requestWillBeSent" if not params["request"]["url"].startswith(url):
                faults.append("it asks for " + params["request"]["url"])
            case "Network.loadingFinished":
                size += params["encodedDataLength"]
            case "Network.loadingFailed" | "Runtime.exceptionThrown" | "Log.entryAdded":
                faults.append(f"{event['method']}: {json.dumps(params)}")
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning"):
                faults.append("the console says " + json.dumps(params["args"]))
    if not 0 < size <= MAX_BYTES:
        faults.append(f"it takes {size} bytes, of {MAX_BYTES}")
    layout = call("Page.getLayoutMetrics")["cssContentSize"]
    if layout["width"] > width:
        faults.append(f"it is {layout['width']} wide")
    picture = call("Page.captureScreenshot", captureBeyondViewport=True,
                   clip={"x": 0, "y": 0, "width": width, "height": layout["height"], "scale": 1})["data"]
    with open(os.path.join(directory, name + ".png"), "wb") as f:
        f.write(base64.b64decode(picture))
    evaluate = lambda code: call("Runtime.evaluate", expression=code, awaitPromise=True)["result"]["value"]
    if script and not evaluate("""fetch("/live.json").then(answer => answer.json()).then(live =>
            document.getElementById("live").textContent === live.text && !document.querySelector("button").hidden &&
            document.querySelectorAll("details[open]").length === 1)"""):
        faults.append("the script has not run, or cannot ask for the numbers")
    if axe and script:
        for violation in json.loads(evaluate(axe + "; axe.run().then(r => JSON.stringify(r.violations))")):
            text = f"axe ({violation['impact']}): {violation['help']}: {[n['target'] for n in violation['nodes']]}"
            if violation["impact"] in ("serious", "critical"):
                faults.append(text)
            else:
                print(f"{name}: not counted: {text}")
    print(f"{name}: {size} bytes, {len(faults)} faults")
    browser.call("Target.closeTarget", targetId=target)
    return [f"{name}: {fault}" for fault in faults]


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    all_faults = [f for width in (1280, 360) for scheme in ("dark", "light") for f in look(browser, width, scheme)]
    all_faults += look(browser, 360, "dark", script=False)
    browser.call("Browser.close")
    browser.process.wait()
for fault in all_faults:
    print("fault:", fault)
sys.exit(1 if all_faults else 0)
