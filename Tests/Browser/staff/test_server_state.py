"""What an administrator sees of the server: its metrics in words."""

import re

from playwright.sync_api import expect

HOUR = "Fri, 01 Jan 2100 00:00:00 GMT"

REPORT = """# HELP lag_seconds Time
# TYPE lag_seconds histogram
lag_seconds_bucket{loop="a",le="0.1"} 90
lag_seconds_bucket{loop="a",le="+Inf"} 100
lag_seconds_bucket{loop="b",le="0.1"} 100
lag_seconds_bucket{loop="b",le="+Inf"} 100
lag_seconds_count{loop="a"} 100
readers{form="web\\\\socket \\"x\\""} 3
readers{form="poll"} 4
size_bytes 1.5e+09
not a sample
"""


def test_metrics_are_summed_and_compared_with_the_look_before(anywhere):
    found = anywhere.evaluate(
        """async report => {
             const { readMetrics, rise, total, within } = await import('/app/core/values/metrics.js');
             const now = readMetrics(report);
             const before = now.map(sample => ({ ...sample, value: Math.min(sample.value, sample.labels.le === '0.1' ? 60 : 50) }));
             const restarted = now.map(sample => ({ ...sample, value: sample.value * 2 }));
             return [
               now.length, now[5].labels.form, total(now, 'readers'), total(now, 'readers', ({ form }) => form === 'poll'), total(now, 'size_bytes'),
               rise(now, null, 'lag_seconds_count'), rise(now, before, 'lag_seconds_count'), rise(now, restarted, 'lag_seconds_count'),
               within(now, null, 'lag_seconds', 0.95), within(now, null, 'lag_seconds', 0.96) === Infinity, within(now, before, 'lag_seconds', 0.5),
               within(now, now, 'lag_seconds', 0.5), within(now, null, 'unknown', 0.5),
             ];
           }""",
        REPORT,
    )
    assert found == [8, 'web\\\\socket \\"x\\"', 7, 4, 1.5e9, 100, 50, 100, 0.1, True, 0.1, None, None]


def test_an_administrator_sees_what_the_server_does(staff, student):
    page = staff("administrator").open("/admin")
    figures = page.locator(".server .facts-list")
    expect(figures).to_contain_text("Live readers")
    expect(figures.locator("div", has_text="Database").locator("dd")).to_contain_text("MB")
    expect(page.locator(".server")).to_contain_text("Since the start at")
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator(".server")).to_contain_text("Since the last look at")


def test_a_disk_that_cannot_be_looked_at_and_a_wrong_clock_leave_the_page_whole(staff):
    person = staff("administrator")
    page = person.page

    def broken(route):
        report = route.fetch().text()
        route.fulfill(body=re.sub(r"(gradecast_store_free_bytes) .*", r"\1 NaN", report), headers={"Date": HOUR})

    page.route("**/v1/metrics", broken)
    page.add_init_script("Date.now = () => 0;")
    person.load("/admin")
    figures = page.locator(".server .facts-list div")
    expect(figures.filter(has_text="Free space").locator("dd")).to_have_text("–")
    # Over the years until then, by the server's clock and not by that of the browser.
    expect(figures.filter(has_text="Changes a minute").locator("dd")).to_have_text("0")
    expect(page.get_by_role("link", name="Download a backup")).to_be_visible()
