/** What administrators keep of words, links and sender names that are refused, looked at first, or warned of. */

export const rulePlaces = ["text", "link", "sender"] as const;
export const ruleActions = ["refuse", "review", "warn"] as const;

export type ContentRule = {
  /** Words, a host name, or a sender name, as `where` says. */
  pattern: string;
  where: (typeof rulePlaces)[number];
  /** Dialling codes; none means all. */
  countries: readonly string[];
  /** Names of networks; none means all. */
  networks: readonly string[];
  action: (typeof ruleActions)[number];
  /** What the sender is told. */
  note: string;
};

/** Characters that nobody sees and that keep a word from being found. */
const INVISIBLE = /[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/gu;
// oxlint-disable-next-line no-control-regex -- the range of ASCII.
const PLAIN = /^[\u0000-\u007F]*$/;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** What a host name is cut from. One run after the other is read once, however long a text of hyphens and dots is. */
const HOST_RUN = /[\p{L}\p{N}.-]+/gu;

/** A text as rules compare it: after NFKC, without what cannot be seen, in small letters. */
function plainOf(text: string): string {
  // Nearly every text is ASCII, and a million of them are looked at.
  return (PLAIN.test(text) ? text : text.normalize("NFKC").replaceAll(INVISIBLE, "")).toLowerCase();
}

function wordsOf(plain: string): string {
  return ` ${(plain.match(WORD) ?? []).join(" ")} `;
}

/** Two labels or more with a dot between them, in the order of the text. */
function listHosts(plain: string): string[] {
  const hosts: string[] = [];
  for (const [run] of plain.matchAll(HOST_RUN)) {
    // An empty label ends a name: `see..example.com` holds `example.com`.
    for (const name of run.split("..")) {
      const labels = name
        .split(".")
        .map(trimHyphens)
        .filter((label) => label !== "");
      if (labels.length > 1) hosts.push(labels.join("."));
    }
  }
  return hosts;
}

function trimHyphens(label: string): string {
  let [start, end] = [0, label.length];
  while (label[start] === "-") start += 1;
  while (end > start && label[end - 1] === "-") end -= 1;
  return label.slice(start, end);
}

/** @returns the host name that a pattern names, without scheme, port and path; empty when it names none. */
export function hostOfPattern(pattern: string): string {
  const plain = plainOf(pattern.trim()).replace(/^[a-z][a-z0-9+.-]*:\/\//, "");
  const [host = ""] = listHosts(plain);
  return plain.startsWith(host) ? asciiHost(host) : "";
}

/** @returns whether a pattern holds a word at all. */
export function hasWord(pattern: string): boolean {
  return wordsOf(plainOf(pattern)).trim() !== "";
}

function asciiHost(host: string): string {
  if (PLAIN.test(host)) return host;
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return host;
  }
}

const LOOK_ALIKES: Readonly<Record<string, string>> = { 0: "O", 1: "I", L: "I", 5: "S", 8: "B" };

/** A sender name with its look-alikes folded: 0 O, 1 I L, 5 S, 8 B, no case, no blanks, no punctuation. */
export function foldSenderName(name: string): string {
  const letters = (plainOf(name).toUpperCase().match(WORD) ?? []).join("");
  return letters.replaceAll(/[01L58]/g, (character) => LOOK_ALIKES[character] ?? character);
}

/** Whether a rule of sender names means this one. */
export function meansSender(rule: Pick<ContentRule, "pattern">, senderName: string): boolean {
  return foldSenderName(rule.pattern) === foldSenderName(senderName);
}

/** A rule of texts, made ready: `sign` stands in every text that it means, so most texts are told by one look. */
type ReadyRule = { index: number; networks: ReadonlySet<string>; sign: string; means: (text: LookedAt) => boolean };

/** A text whose words and hosts are taken apart when the first rule asks for them. */
class LookedAt {
  readonly plain: string;
  #words: string | undefined;
  #hosts: readonly string[] | undefined;

  constructor(text: string) {
    this.plain = plainOf(text);
  }

  get words(): string {
    this.#words ??= wordsOf(this.plain);
    return this.#words;
  }

  get hosts(): readonly string[] {
    this.#hosts ??= listHosts(this.plain).map(asciiHost);
    return this.#hosts;
  }
}

/** Looks through the texts of one send for rules of texts and links. Rules that have been found are not looked for again. */
export class TextSearch {
  readonly found = new Set<number>();
  #open: ReadyRule[];

  /** @param rules those of `where` sender are passed over. `found` names their places in it. */
  constructor(rules: readonly ContentRule[]) {
    this.#open = rules.flatMap((rule, index) => readyRule(rule, index));
  }

  get isOver(): boolean {
    return this.#open.length === 0;
  }

  /** @param network tells the likely network of who gets the text; asked only where a rule is for some networks. */
  look(text: string, network: () => string): void {
    if (this.isOver) return;
    const looked = new LookedAt(text);
    for (const rule of this.#open) {
      if (!looked.plain.includes(rule.sign) || !rule.means(looked)) continue;
      if (rule.networks.size > 0 && !rule.networks.has(network().toLowerCase())) continue;
      this.found.add(rule.index);
    }
    if (this.#open.some(({ index }) => this.found.has(index)))
      this.#open = this.#open.filter(({ index }) => !this.found.has(index));
  }
}

function readyRule(rule: ContentRule, index: number): ReadyRule[] {
  const networks = new Set(rule.networks.map((name) => name.toLowerCase()));
  if (rule.where === "link") {
    const host = hostOfPattern(rule.pattern);
    const means = ({ hosts }: LookedAt): boolean => hosts.some((one) => one === host || one.endsWith(`.${host}`));
    return host === "" ? [] : [{ index, networks, sign: "", means }];
  }
  if (rule.where !== "text") return [];
  const words = wordsOf(plainOf(rule.pattern));
  const [sign = ""] = words.trim().split(" ");
  return sign === "" ? [] : [{ index, networks, sign, means: (text) => text.words.includes(words) }];
}
