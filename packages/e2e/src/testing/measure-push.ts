import type { Page } from "playwright-core";

export type Push = {
  /** Where the change is made, and the call that makes it. */
  from: { page: Page; call: RegExp; act: () => Promise<void> };
  /** Where it is to be seen, without a reload. */
  to: { page: Page; selector: string; text: string };
};

/** Bounds of the time from the commit to the drawn change, in milliseconds: the commit lies between request and answer. */
export type PushTime = { sinceAnswerMs: number; sinceRequestMs: number };

/** Makes a change on one page and waits until another has drawn it. All pages run on this machine's clock. */
export async function measurePush({ from, to }: Push): Promise<PushTime> {
  const drawn = waitUntilDrawn(to.page, to.selector, to.text);
  const answered = from.page.waitForResponse(
    (response) => from.call.test(response.url()) && response.request().method() !== "GET",
  );
  await from.act();
  const timing = (await answered).request().timing();
  const drawnAt = await drawn;
  return {
    sinceAnswerMs: Math.round(drawnAt - (timing.startTime + timing.responseStart)),
    sinceRequestMs: Math.round(drawnAt - (timing.startTime + timing.requestStart)),
  };
}

/**
 * @returns when the frame with the text was drawn, in milliseconds since 1970.
 * @throws Error when the text is there already: nothing could be measured then.
 */
export async function waitUntilDrawn(page: Page, selector: string, text: string): Promise<number> {
  return await page.evaluate(
    ({ selector: wantedSelector, text: wantedText }) =>
      new Promise<number>((resolve, reject) => {
        const isThere = (): boolean =>
          [...document.querySelectorAll(wantedSelector)].some((element) => element.textContent.includes(wantedText));
        if (isThere()) reject(new Error(`"${wantedText}" was on screen before the change`));
        const observer = new MutationObserver(() => {
          if (!isThere()) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(Date.now()));
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    { selector, text },
  );
}
