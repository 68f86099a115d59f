"""What every page is held to in a real browser: widths that it fits in, and text that can be read on its ground."""

from playwright.sync_api import Page

WIDTHS = (390, 820, 1280)
SCHEMES = ("light", "dark")
# Every text whose contrast is below 4.5 to 1 (WCAG 2, AA): what it is, and how much it has.
CONTRAST = """
() => {
  const light = (c) => { const v = c.map(x => { x /= 255; return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4 });
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2] };
  const rgb = (t) => (t.match(/[\\d.]+/g) || []).map(Number);
  const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] > 0) return c.slice(0, 3) } return [255, 255, 255] };
  const bad = [];
  for (const e of document.querySelectorAll('body *')) {
    if (!e.childNodes.length || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    if (!e.checkVisibility() || e.closest('.sr, svg, .skip')) continue;
    const a = light(rgb(getComputedStyle(e).color).slice(0, 3)), b = light(ground(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.push([e.tagName, e.className, e.textContent.trim().slice(0, 30), ratio.toFixed(2)]);
  }
  return bad;
}
"""
# Every element that stands out on the right of the window.
STANDS_OUT = """
() => [...document.querySelectorAll('body *')]
  .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
  .map(e => [e.tagName, e.className, e.textContent.trim().slice(0, 30)])
"""


def check(page: Page) -> None:
    """It is not wider than its window, and everything in it can be read."""
    page.wait_for_load_state()
    assert page.viewport_size is not None
    # A window takes its new size when it gets to it.
    page.wait_for_function("wide => innerWidth === wide", arg=page.viewport_size["width"])
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide == page.viewport_size["width"], f"{page.url} is {wide} wide; {page.evaluate(STANDS_OUT)}"
    assert page.evaluate(CONTRAST) == [], page.url
