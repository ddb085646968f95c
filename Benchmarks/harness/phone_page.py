"""A class and the front page on a phone, run in the tests' environment: `phone_page.py URL DATA CLASS`.

Chromium emulates a network of 150 ms and 1.6 Mbit/s. It prints how long the first rows of the class take, on a first visit and
with the service worker, how many requests that is, and how long a guest's first visit of the front page takes.
"""

import json
import os
import pathlib
import shutil
import sys

from playwright.sync_api import sync_playwright

LATENCY, DOWN, UP = 150, 1_600_000 / 8, 750_000 / 8
SHOWN = """selector => {
    new MutationObserver(() => {
        if (window.shownAt === undefined && document.querySelector(selector)) {
            window.shownAt = NaN;
            requestAnimationFrame(() => setTimeout(() => { window.shownAt = performance.now(); }));
        }
    }).observe(document, { subtree: true, childList: true });
}"""
VISITS = 3


def visited(context, address, selector):
    """Opens an address in a new page: how long until it shows what is looked for, and how many requests that took."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": LATENCY, "downloadThroughput": DOWN, "uploadThroughput": UP})
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.add_init_script(f"({SHOWN})({json.dumps(selector)})")
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => window.shownAt > 0")
    result = page.evaluate("window.shownAt"), len(asked)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_load_state("networkidle")
    page.close()
    return result


def main(url, data, identifier):
    signs = json.loads((pathlib.Path(data) / "demo-sign-ins.json").read_text())["registrar"]
    phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "locale": "en-US"}
    cold, warm, front = [], [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell"), args=["--no-sandbox"])
        for _ in range(VISITS):
            context = browser.new_context(**phone)
            context.set_default_timeout(120_000)
            front.append(visited(context, url, "h1"))
            context.close()
            context = browser.new_context(**phone)
            context.set_default_timeout(120_000)
            answer = context.request.post(f"{url}/v1/sessions", data=signs | {"cookie": True}, headers={"Origin": url})
            if not answer.ok:
                sys.exit(answer.text())
            room = f"{url}/classes/{identifier}"
            cold.append(visited(context, room, ".marks li"))
            warm.append(visited(context, room, ".marks li"))
            context.close()
        browser.close()
    print(f"cold_ms={min(cold)[0]:.0f} warm_ms={min(warm)[0]:.0f} requests={min(cold)[1]} front_ms={min(front)[0]:.0f}")


main(*sys.argv[1:])
