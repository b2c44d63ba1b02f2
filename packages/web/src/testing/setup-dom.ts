/** What jsdom lacks and the pages use, and that nothing of one test is seen in the next. */
import "@testing-library/jest-dom/vitest";
import { cleanup, configure, getConfig } from "@testing-library/react";
import { afterEach } from "vitest";
import { clearSession } from "../lib/session/session.ts";
import { clearNotices } from "../ui/feedback/notices.tsx";

// Pages are fetched lazily, and the machine may be busy with other suites: waiting longer costs nothing when all is well.
configure({ asyncUtilTimeout: 10_000 });

// `waitFor` looks again after each change of the page. Left alone, each vain look prints the whole page for its message, which takes a tenth of the
// time of all tests. When the time is up, `waitFor` prints the page itself.
configure(({ getElementError }) => ({
  getElementError: (message, container) => {
    if (!isWaiting()) return getElementError(message, container);
    const error = new Error(message ?? "");
    error.name = "TestingLibraryElementError";
    return error;
  },
}));

function isWaiting(): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- the library's own mark of such a look.
  return (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics === true;
}

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
