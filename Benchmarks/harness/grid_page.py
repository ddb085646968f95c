"""One look at the grid of a class in Chromium, run in the tests' environment: `grid_page.py URL DATA CLASS SECONDS`.

It prints how long the first rows take from the address, a key until it is painted, and the frames while one scrolls.
"""

import json
import os
import pathlib
import re
import shutil
import statistics
import sys

from playwright.sync_api import sync_playwright

PAUSE = 55  # ms between two keys: faster than anybody types results, and no more than one key a frame
FIRST = """
    new MutationObserver(() => {
        if (!window.firstRows && document.querySelector('.grid-row:not([hidden]) .grid-name')?.textContent) {
            requestAnimationFrame(() => setTimeout(() => { window.firstRows = performance.now(); }));
            window.firstRows = NaN;
        }
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""
# What follows a frame's painting is the next task after it.
KEYS = """() => {
    window.keys = [];
    document.addEventListener('keydown', event => {
        const began = event.timeStamp;
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => window.keys.push(performance.now() - began);
            port2.postMessage(null);
        });
    }, true);
}"""
SCROLL = """seconds => new Promise(done => {
    const port = [...document.querySelectorAll('*')].find(
        one => one.scrollHeight > one.clientHeight + 500 && getComputedStyle(one).overflowY !== 'visible'
            && one.querySelector('.grid-row')) ?? document.scrollingElement;
    const frames = [], end = performance.now() + 1000 * seconds;
    let last = null, step = 140;
    const frame = now => {
        if (last !== null) frames.push(now - last);
        last = now;
        const before = port.scrollTop;
        port.scrollTop += step;
        port.scrollLeft += step / 8;
        if (port.scrollTop === before) step = -step;
        if (performance.now() < end) requestAnimationFrame(frame);
        else done(frames);
    };
    requestAnimationFrame(frame);
})"""


def main(url, data, identifier, seconds):
    signs = json.loads((pathlib.Path(data) / "demo-sign-ins.json").read_text())["registrar"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell"), args=["--no-sandbox"])
        context = browser.new_context(locale="en-US", viewport={"width": 1280, "height": 800})
        context.add_init_script(FIRST)
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.goto(f"{url}/sign-in")
        page.fill('[name="/login"]', signs["login"])
        page.fill('[name="/password"]', signs["password"])
        page.click("main button[type=submit]")
        page.wait_for_url(re.compile("/(work|records|classes|programs|admin)$"))
        firsts = []
        for _ in range(3):
            page.goto(f"{url}/classes/{identifier}")
            page.wait_for_function("() => window.firstRows > 0")
            firsts.append(page.evaluate("window.firstRows"))
        page.locator('[role=gridcell]:not([hidden])').first.click()
        page.evaluate(KEYS)
        for number in range(120):
            page.keyboard.press(("Enter", "ArrowRight", "ArrowDown")[number // 2 % 3] if number % 2 else str(number // 2 % 10))
            page.wait_for_timeout(PAUSE)
        page.wait_for_function("() => window.keys.length === 120")
        keys = sorted(page.evaluate("window.keys"))
        page.keyboard.press("Escape")
        frames = sorted(page.evaluate(SCROLL, float(seconds)))
        browser.close()
    print(
        f"first_ms={min(firsts):.1f} key_p50_ms={statistics.median(keys):.2f} key_p95_ms={keys[int(len(keys) * 0.95)]:.2f}"
        f" frame_ms={frames[-1]:.2f} frame_p50_ms={statistics.median(frames):.2f} frames={len(frames)}"
        f" long_frames={sum(one > 33 for one in frames)}")


main(*sys.argv[1:])
