"""What can be measured of a drawn screen? Read in the browser, from what is really there."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """One screen in one mode at one width. Lists name what is wrong, by its text."""

    too_wide: list[str]
    """Boxes of the page that scroll sideways."""
    outside: list[str]
    """Texts that leave the window and that nothing scrolls to."""
    cut: list[str]
    """Texts that end in an ellipsis."""
    chart_texts: list[tuple[str, float]]
    """Each text of a chart, and its size in pixels."""
    chart_contrast: list[tuple[str, float]]
    """Each text of a chart, and its contrast to the page."""
    chart_outside: list[str]
    """Texts that leave their chart."""
    chart_meeting: list[list[str]]
    """Pairs of texts that lie on each other."""
    title: str
    icon: str
    fonts: list[str]
    """First family of the page's text, where that face is loaded."""
    exceptions: int
    brightness: float
    """Of the page's ground, 0–255."""


LOOKS = r"""() => {
    const SLACK = 1.5, MEETING_WIDTH = 3, MEETING_HEIGHT = 4;
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const text = (element) => element.textContent.trim().replace(/\s+/g, ' ').slice(0, 60);
    const seen = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true})
        && element.getBoundingClientRect().width > 1;
    const main = document.querySelector('[data-testid=stMain]');
    const edge = document.documentElement.clientWidth;
    const style = (element) => getComputedStyle(element);
    const ownText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const scrolled = (element) => {
        for (let up = element; up && up !== main; up = up.parentElement)
            if (['auto', 'scroll'].includes(style(up).overflowX)) return true;
        return false;
    };
    const span = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().width;
    };
    const shortened = (element) => {
        if (element.getBoundingClientRect().right < 0) return false;
        for (let up = element, steps = 0; up && steps < 5; up = up.parentElement, steps++)
            if (style(up).textOverflow === 'ellipsis' && span(element) > up.getBoundingClientRect().width + 0.5) return true;
        return false;
    };
    const channels = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
    const luminance = (colour) => {
        const [red, green, blue] = channels(colour).map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ground = style(document.querySelector('[data-testid=stApp]')).backgroundColor;
    const contrast = (colour) => {
        const [low, high] = [luminance(colour), luminance(ground)].sort((one, other) => one - other);
        return Math.round((high + 0.05) / (low + 0.05) * 100) / 100;
    };
    const within = (inner, outer) => inner.left >= outer.left - SLACK && inner.right <= outer.right + SLACK
        && inner.top >= outer.top - SLACK && inner.bottom <= outer.bottom + SLACK;
    const meet = (one, other) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > MEETING_WIDTH
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > MEETING_HEIGHT;

    const look = {chart_texts: [], chart_contrast: [], chart_outside: [], chart_meeting: []};
    for (const chart of all('.js-plotly-plot')) {
        const place = chart.getBoundingClientRect();
        const texts = all('.main-svg text', chart).filter((each) => text(each) && seen(each));
        const boxes = texts.map((each) => each.getBoundingClientRect());
        texts.forEach((each, number) => {
            for (const part of [each, ...all('tspan', each)])
                look.chart_texts.push([text(part), parseFloat(style(part).fontSize)]);
            look.chart_contrast.push([text(each), contrast(style(each).fill)]);
            if (!within(boxes[number], place)) look.chart_outside.push(text(each));
            boxes.slice(number + 1).forEach((box, further) => {
                if (meet(boxes[number], box)) look.chart_meeting.push([text(each), text(texts[number + 1 + further])]);
            });
        });
    }
    const written = all('[data-testid=stMain] *, [data-testid=stSidebar] *').filter((each) => ownText(each) && seen(each));
    const family = style(document.querySelector('h1, h2')).fontFamily.split(',')[0].replaceAll('"', '');
    return {
        ...look,
        too_wide: [document.documentElement, main].filter((box) => box.scrollWidth > box.clientWidth + 1)
            .map((box) => `${box.dataset.testid ?? 'page'}: ${box.scrollWidth} in ${box.clientWidth}`),
        outside: written.filter((each) => main.contains(each) && !scrolled(each))
            .filter((each) => each.getBoundingClientRect().right > edge + SLACK).map(text),
        cut: written.filter(shortened).map(text),
        title: document.title,
        icon: document.querySelector('link[rel~=icon]')?.href ?? '',
        fonts: [...document.fonts].some((face) => face.family.replaceAll('"', '') === family && face.status === 'loaded')
            ? [family] : [],
        exceptions: all('[data-testid=stException]').length,
        brightness: channels(ground).reduce((sum, value) => sum + value, 0) / 3,
    };
}"""
