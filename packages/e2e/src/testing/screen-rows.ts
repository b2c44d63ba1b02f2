/** What the table of pages in docs/specification.md says is on each screen, and the check that it is. */
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";

type Role = Parameters<Page["getByRole"]>[0];
type Element = { role: Role | "text"; name: string };

const rows = readFileSync(new URL("../../../../docs/specification.md", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `/"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** `heading: Login; link: Register, Forgot Password`. No name holds a comma or a semicolon. */
const elementsOf = (cell: string): Element[] =>
  cell.split("; ").flatMap((group) => {
    const [role = "", ...names] = group.split(": ");
    return names
      .join(": ")
      .split(", ")
      .map((name) => ({ role: role as Element["role"], name }));
  });

function locate(page: Page, { role, name }: Element): Locator {
  if (role === "text") return page.getByText(name).filter({ visible: true });
  // A term has no accessible name.
  if (role === "term") return page.getByRole(role).filter({ hasText: name, visible: true });
  // The label of a segmented control is what one sees; its radio button has no size.
  if (role === "radio") return page.locator("label").filter({ hasText: name, visible: true });
  return page.getByRole(role, { name }).filter({ visible: true });
}

/** @throws naming each element of the page's row that cannot be seen within ten seconds. */
export async function expectOnScreen(page: Page, path: string): Promise<void> {
  const cell = rows.find(([, asks]) => asks === `\`${path}\``)?.[4];
  if (cell === undefined || cell === "") throw new Error(`docs/specification.md does not say what is on ${path}`);
  const missing = await Promise.all(
    elementsOf(cell).map(async (element) => {
      const isFound = await locate(page, element)
        .first()
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
      return isFound ? [] : [`${element.role}: ${element.name}`];
    }),
  );
  const names = missing.flat();
  if (names.length > 0) throw new Error(`${path} does not show ${names.join(", ")}`);
}
