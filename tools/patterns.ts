/**
 * Patterns that backtrack: what takes the square of a text's length, or worse, halts everybody for seconds when a stranger
 * sends a long text. Each regular expression of the product is tried on texts made of its own characters. Checkers that
 * reason about patterns were tried (recheck 4.5.0): of those here they name most "unknown" within two seconds each.
 */
import { createContext, Script } from "node:vm";
import { parseAst } from "rolldown/parseAst";
import { readSourceFiles } from "./source-files.ts";

export type Pattern = { path: string; source: string; flags: string };

const CODE = /^packages\/(?:server|contract|gsm|smpp|embedded-postgres)\/src\/(?!.*(?:\.test\.ts$|\/testing\/)).*\.ts$/;

/** Of each text that is tried: a linear pattern takes a tenth of a millisecond for it, a quadratic one a fifth of a second. */
const TEXT_CHARACTERS = 20_000;
export const SLOW_MS = 60;
const CHARACTERS_MAX = 14;

/** Every regular expression that the product's code writes down. */
export function listPatterns(files: { path: string; text: string }[] = readSourceFiles(CODE)): Pattern[] {
  return files.flatMap(({ path, text }) => {
    const found: Pattern[] = [];
    walk(parseAst(text, { lang: "ts" }), (node) => {
      const regex = node["regex"] as { pattern: string; flags: string } | undefined;
      if (regex !== undefined && regex !== null) found.push({ path, source: regex.pattern, flags: regex.flags });
    });
    return found;
  });
}

/** Whether a part of the pattern repeats: without `*`, `+` or `{`, no text, however long, takes more than its length. */
export function repeats({ source }: Pick<Pattern, "source">): boolean {
  return /[*+{]/.test(source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/g, ""));
}

/** Visits each node of a syntax tree. */
export function walk(node: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) visit(node as Record<string, unknown>);
  for (const child of Object.values(node)) walk(child, visit);
}

/** @returns the most that the pattern takes for one text, in milliseconds of the process; at least `SLOW_MS` when it is slow. */
export function measurePattern({ source, flags }: Pick<Pattern, "source" | "flags">): number {
  const context = createContext({
    pattern: new RegExp(source, flags),
    texts: hostileTexts(source),
    now: () => performance.now(),
    slowMs: SLOW_MS,
  });
  const script = new Script(`
    const takenMs = (text) => {
      pattern.lastIndex = 0;
      const startedAtMs = now();
      pattern.test(text);
      return now() - startedAtMs;
    };
    let worstMs = 0;
    for (const text of texts) {
      // Measured again where it took long: a busy machine stops for a moment, a slow pattern is slow each time.
      let bestMs = takenMs(text);
      for (let again = 0; again < 3 && bestMs >= slowMs; again += 1) bestMs = Math.min(bestMs, takenMs(text));
      worstMs = Math.max(worstMs, bestMs);
      if (worstMs >= slowMs) break;
    }
    worstMs;
  `);
  try {
    return script.runInContext(context, { timeout: 2_000 }) as number;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Long runs of what the pattern could take, after what it may begin with, and before what it cannot end with. */
function hostileTexts(source: string): string[] {
  const own = [...new Set(source.replaceAll(/\\[a-zA-Z]|[\\^$()[\]{}*+?|]/g, ""))].slice(0, CHARACTERS_MAX);
  const characters = [...new Set([" ", "a", "0", "\t", ...own])];
  const runs = characters.flatMap((one) => [one, ...characters.slice(0, 8).map((other) => one + other)]);
  return runs.flatMap((run) => {
    const long = run.repeat(TEXT_CHARACTERS / run.length);
    return ["", ...characters].map((begin) => `${begin}${long}\u0001`);
  });
}
