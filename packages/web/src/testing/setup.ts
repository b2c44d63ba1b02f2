/** What jsdom lacks and the pages use, and the rule that an unexpected console.error fails a test. */
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";
import { clearSession } from "../lib/session.ts";
import { clearNotices } from "../ui/notices.tsx";

// Pages are fetched lazily, and the machine may be busy with other suites: waiting longer costs nothing when all is well.
configure({ asyncUtilTimeout: 10_000 });

class ResizeObserverStub implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

if (typeof window !== "undefined") {
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
  Object.defineProperty(Element.prototype, "scrollIntoView", { value: () => Promise.resolve(), configurable: true, writable: true });
  Object.defineProperty(document, "fonts", { value: { addEventListener: () => undefined, removeEventListener: () => undefined, ready: Promise.resolve() } });
}

let errors: unknown[][] = [];

beforeEach(() => {
  errors = [];
  vi.spyOn(console, "error").mockImplementation((...words: unknown[]) => void errors.push(words));
  // A test that forgets its server must not reach a real one.
  vi.stubGlobal("fetch", (address: string) => Promise.reject(new Error(`Unmocked request: ${address}`)));
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearNotices();
  clearSession("asked");
  if (errors.length > 0) throw new Error(`console.error was called: ${errors.map((words) => words.map(String).join(" ")).join("\n")}`);
});

/** For a test whose subject is an error that React or the router reports: takes what was reported off the list. */
export function takeConsoleErrors(): unknown[][] {
  const taken = errors;
  errors = [];
  return taken;
}
