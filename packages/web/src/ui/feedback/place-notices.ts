/**
 * Where notices lie: over nothing that can be pressed or must stay in sight. They begin at the top right corner and go down, or
 * to the middle or the left, as far as they must. What has scrolled or been drawn below them meanwhile moves them once more, but
 * not while a person points at them.
 */

export type Box = { left: number; top: number; right: number; bottom: number };

const PRESSABLE =
  "a[href], button, input, select, textarea, summary, label, [role='button'], [role='option'], [tabindex='0'], [data-in-sight]";
/** What each thing below counts besides its area: one that is covered whole is better than the corners of three. */
const COVERED_COST = 100_000;
const EDGE_PX = 16;
/** A finger is not exact. */
const GAP_PX = 6;
const LOOK_EVERY_MS = 200;
/** A list is still moving; notices that moved with every step of it would flicker. */
const AFTER_SCROLL_MS = 250;

function costOf(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height + COVERED_COST : 0;
}

function covered(box: Box, taken: readonly Box[]): number {
  const wide = {
    left: box.left - GAP_PX,
    top: box.top - GAP_PX,
    right: box.right + GAP_PX,
    bottom: box.bottom + GAP_PX,
  };
  return taken.reduce((sum, other) => sum + costOf(wide, other), 0);
}

/**
 * @param size of the notices, in px.
 * @param screen the part of the window where they may lie.
 * @returns the highest place that covers nothing, rightmost first; where there is none, the one that covers the fewest, and of these the least.
 */
export function findPlace(size: { width: number; height: number }, screen: Box, taken: readonly Box[]): Box {
  const right = screen.right - EDGE_PX - size.width;
  const lefts = [right, (screen.left + screen.right - size.width) / 2, screen.left + EDGE_PX];
  const lowest = screen.bottom - GAP_PX - size.height;
  const tops = [screen.top + EDGE_PX, ...taken.map(({ bottom }) => bottom + GAP_PX + 1), lowest]
    .filter((top) => top >= screen.top + GAP_PX && top <= lowest)
    .toSorted((a, b) => a - b);
  let best: { box: Box; cost: number } | undefined;
  for (const top of tops) {
    for (const left of lefts) {
      const box = { left, top, right: left + size.width, bottom: top + size.height };
      const cost = covered(box, taken);
      if (cost === 0) return box;
      if (best === undefined || cost < best.cost) best = { box, cost };
    }
  }
  return best?.box ?? { left: right, top: lowest, right: right + size.width, bottom: screen.bottom };
}

function findTaken(host: Element): Box[] {
  const boxes: Box[] = [];
  for (const element of document.querySelectorAll(PRESSABLE)) {
    if (host.contains(element)) continue;
    const box = element.getBoundingClientRect();
    const isSeen = box.width > 2 && box.height > 2 && box.bottom > 0 && box.top < window.innerHeight;
    if (isSeen && element.checkVisibility({ visibilityProperty: true })) boxes.push(box);
  }
  return boxes;
}

/** Keeps the notices where they cover nothing. @returns ends it. */
export function placeNotices(host: HTMLElement): () => void {
  let scrolledMs = 0;
  const onScroll = (): void => {
    scrolledMs = performance.now();
  };
  const look = (isFirst = false): void => {
    const { left, top, right, bottom, width, height } = host.getBoundingClientRect();
    const isHeld = host.matches(":hover, :focus-within") || performance.now() - scrolledMs < AFTER_SCROLL_MS;
    if (height === 0 || (isHeld && !isFirst)) return;
    const taken = findTaken(host);
    const isPlaced = host.style.top !== "" && bottom <= window.innerHeight;
    if (isPlaced && covered({ left, top, right, bottom }, taken) === 0) return;
    const screen = { left: 0, top: 0, right: document.documentElement.clientWidth, bottom: window.innerHeight };
    const place = findPlace({ width, height }, screen, taken);
    host.style.top = `${Math.round(place.top)}px`;
    host.style.right = `${Math.round(screen.right - place.right)}px`;
  };
  look(true);
  const timer = window.setInterval(look, LOOK_EVERY_MS);
  window.addEventListener("scroll", onScroll, { capture: true, passive: true });
  return () => {
    window.clearInterval(timer);
    window.removeEventListener("scroll", onScroll, { capture: true });
    host.removeAttribute("style");
  };
}
