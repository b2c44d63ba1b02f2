/** What jsdom lacks and the pages use, and that nothing of one test is seen in the next. */
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { clearSession } from "../lib/session/session.ts";
import { clearNotices } from "../ui/feedback/notices.tsx";

// Pages are fetched lazily, and the machine may be busy with other suites: waiting longer costs nothing when all is well.
configure({ asyncUtilTimeout: 10_000 });

class ResizeObserverStub implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Called for each file: a process may run several, and hooks belong to the file that they were set in. */
export function setUpDom(): void {
  window.matchMedia = (query) => ({
    matches: query.includes("prefers-reduced-motion"),
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  });
  window.ResizeObserver = ResizeObserverStub;
  window.scrollTo = () => undefined;
  // As newer browsers do.
  Object.defineProperty(Element.prototype, "scrollIntoView", {
    value: () => Promise.resolve(),
    configurable: true,
    writable: true,
  });
  Object.defineProperty(document, "fonts", {
    value: { addEventListener: () => undefined, removeEventListener: () => undefined, ready: Promise.resolve() },
    configurable: true,
  });

  afterEach(() => {
    cleanup();
    clearNotices();
    clearSession("asked");
  });
}
