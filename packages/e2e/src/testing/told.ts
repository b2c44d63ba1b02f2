/** What a page tells a person after an answer, in words that the specification fixes. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page, Response } from "playwright-core";
import { expect } from "vitest";
import type { Visitor } from "./browser.ts";
import { waitUntil } from "./product.ts";

export type Told = {
  /** The call that answers, as it ends: `/send-bulk-sms$/`. */
  call: RegExp;
  /** Of the real server's answer; "none" when the network is cut before it. */
  status: number | "none";
  /** Absent: the server's own message. */
  title?: string;
  text?: string;
  /** Absent: the person stays. */
  leadsTo?: string;
};

/**
 * Does something, looks at the answer, and expects its words in a notice or beside the button, and the person where the
 * specification sends them.
 */
export async function expectTold(
  { page, announce }: Visitor,
  { call, status, title, text, leadsTo }: Told,
  act: () => Promise<void>,
): Promise<void> {
  const from = new URL(page.url()).pathname;
  // Notices go by themselves, so they are listened to from the start.
  const heard = overhear(page);
  try {
    if (status === "none") {
      announce(/^failed: [A-Z]+ \S+ net::ERR_INTERNET_DISCONNECTED$/);
      const isCall = (url: URL): boolean => call.test(url.pathname);
      await page.route(isCall, async (route) =>
        route.request().method() === "GET" ? await route.continue() : await route.abort("internetdisconnected"),
      );
      await act();
      await heard.until(title ?? "", text);
      await page.unroute(isCall);
    } else {
      if (status >= 400) announce(new RegExp(`^answer ${status}: `));
      const isAnswer = (response: Response): boolean =>
        response.request().method() !== "GET" && call.test(new URL(response.url()).pathname);
      const answering = page.waitForResponse(isAnswer);
      answering.catch(() => undefined); // When both wait in vain, the one that came first says why.
      await act();
      const answer = await answering;
      expect(answer.status()).toBe(status);
      const { message } = (await answer.json()) as { message: string };
      expect(message).toMatch(/\S/);
      await heard.until(title ?? message, text);
    }
  } finally {
    await heard.end();
  }
  await page.waitForURL((url) => url.pathname === (leadsTo ?? from));
}

/** Waits until a title, and right below it a text, are announced: word for word, and nothing else in their lines. */
export async function waitForWords(page: Page, title: string, text?: string): Promise<void> {
  const heard = overhear(page);
  try {
    await heard.until(title, text);
  } finally {
    await heard.end();
  }
}

type Heard = { until: (title: string, text?: string) => Promise<void>; end: () => Promise<void> };

/** Listens to everything that live regions say. */
function overhear(page: Page): Heard {
  const heard = new Set<string>();
  const ending = new AbortController();
  const listening = (async () => {
    while (!ending.signal.aborted) {
      for (const words of await page.evaluate(readAnnounced)) heard.add(words);
      await sleep(20);
    }
  })();
  return {
    until: async (title, text) => {
      const wanted = text === undefined ? `\n${title}\n` : `\n${title}\n${text}\n`;
      await Promise.race([
        listening,
        waitUntil(() => [...heard].some((words) => words.includes(wanted)), wanted, { withinMs: 10_000, everyMs: 20 }),
      ]).catch((error: unknown) => {
        throw new Error(`${String(error)}; there stood in turn: ${JSON.stringify([...heard])}`, { cause: error });
      });
    },
    end: async () => {
      ending.abort();
      await listening;
    },
  };
}

/** Runs in the page. @returns the lines of each region, with line breaks round each. */
function readAnnounced(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[role=alert], [role=status], [aria-label="Notices"] > *')].map(
    (region) =>
      [
        "",
        ...region.innerText
          .split("\n")
          .map((line) => line.trim())
          .filter((line) => line !== ""),
        "",
      ].join("\n"),
  );
}
