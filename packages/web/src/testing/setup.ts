/** The rules of every test: an unexpected console.error fails it, and nothing reaches a real server. */
import { afterAll, afterEach, beforeEach, vi } from "vitest";

let errors: unknown[][] = [];

beforeEach(() => {
  errors = [];
  vi.spyOn(console, "error").mockImplementation((...words: unknown[]) => void errors.push(words));
  // A test that forgets its server must not reach a real one.
  vi.stubGlobal("fetch", (address: string) => Promise.reject(new Error(`Unmocked request: ${address}`)));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  if (errors.length > 0)
    throw new Error(`console.error was called: ${errors.map((words) => words.map(String).join(" ")).join("\n")}`);
});

// What a page still fetches when its test is over would fail with the environment, and stay failed for the files that share its process.
afterAll(async () => await vi.dynamicImportSettled());

/** For a test whose subject is an error that React or the router reports: takes what was reported off the list. */
export function takeConsoleErrors(): unknown[][] {
  const taken = errors;
  errors = [];
  return taken;
}

// Tests of plain logic run without a document, which costs two seconds a file.
if (typeof window !== "undefined") (await import("./setup-dom.ts")).setUpDom();
