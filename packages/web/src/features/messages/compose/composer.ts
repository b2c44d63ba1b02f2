/**
 * The message that the customer composes: new, from a draft, sent again, scheduled, or to a catalog. It lives outside the page:
 * a refused send leads to the whitelists or to the units, and a customer who comes back finds everything as it was, with its
 * idempotency key. The composition ends with the session.
 *
 * Numbers are in two places: typed ones in a text field, and each long paste in a list of its own, because a text field
 * with megabytes freezes the page. Both are read together by a worker.
 */
import type { PageRule, Rates, SendBody, SendRecipient } from "@ewebal/contract";
import { DEFAULT_COUNTRY_CODE, DEFAULT_RATES } from "@ewebal/contract/rules";
import { useSyncExternalStore } from "react";
import { getSession, onSessionChange } from "../../../lib/session/session.ts";
import { IdempotencyKey } from "../../../lib/api/idempotency-key.ts";
import { startSchedule, writeSendAt, type Schedule } from "../scheduled/schedule.ts";
import { RecipientsReader, type ListsQuestion } from "../recipients/recipients-reader.ts";
import type { ListsAnswer, RecipientsSummary } from "../recipients/recipient-lists.ts";
import type { Choices, Composition, NumberList } from "./composition.ts";
import { endingOf, isMergeCurrent, isPersonal, onlyList, tableOfRecipients } from "../personal/personal-send.ts";
import { cleanNumbers } from "../../../shared/numbers/clean-numbers.ts";
import { ONE_PER_LINE } from "../../../shared/numbers/numbers-field.tsx";

/** A paste longer than this (about 1,400 numbers) becomes a list. */
export const TYPED_CHARACTERS_MAX = 20_000;
/** Up to here (about 10,000 numbers) a list can go back into the text field; with more, typing in it would stutter on a phone. */
export const EDITED_CHARACTERS_MAX = 150_000;

/** What a form begins with: a draft's or an earlier message's four fields, and the time of a scheduled one. */
export type Source = {
  schedule?: Schedule;
  /** Units that it holds already, in thousandths. */
  heldMilli?: number;
  /** In place of the numbers: with what is known of each. */
  recipients?: readonly SendRecipient[] | undefined;
  /** The same as a table, see `tableOfValues`. */
  table?: ValueTable | undefined;
  choices?: Choices;
  knownKeys?: readonly string[];
} & SendBody;

type ValueTable = Pick<NumberList, "text" | "columns" | "isKept">;

/** What is sent: to bare numbers, to a catalog, or to recipients with what is known of each. */
export type ComposedBody = Omit<SendBody, "phoneNo"> & {
  phoneNo?: string;
  catalogId?: string;
  recipients?: SendRecipient[];
  onMissing?: "skip";
  validUntil?: string;
} & Omit<Choices, "validUntil">;

const empty: Composition = {
  code: DEFAULT_COUNTRY_CODE,
  senderName: "",
  message: "",
  typedNumbers: "",
  lists: [],
  summary: undefined,
  reading: "none",
  leftOutCount: 0,
  merged: undefined,
  onMissing: undefined,
  knownKeys: [],
  isSending: false,
  schedule: undefined,
  choices: {},
  publicUrl: "",
};

export class Composer {
  readonly userId: string;
  /** Of a message to a whole catalog, whose contacts may not be here. */
  catalogId: string | undefined;
  /** Called when the message has been sent or saved: what was kept of it is needed no more. */
  onNext: (() => void) | undefined;
  readonly #key = new IdempotencyKey();
  readonly #listeners = new Set<() => void>();
  #state = empty;
  #reader: RecipientsReader | undefined;
  #lastListId = 0;
  #rates: Rates = DEFAULT_RATES;
  #pageRule: PageRule = "flat160";
  #isMerging = false;
  /** The draft or message that takeOver() took last, as text. */
  #source = "";
  /** Names the wrong numbers that the customer agreed to leave out. */
  #agreedTo: string | undefined;

  constructor(userId: string) {
    this.userId = userId;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): Composition => this.#state;

  /** Fills the form with a draft or a message. Taking the same one again keeps the customer's changes. */
  takeOver(source: Source): void {
    const { code, senderName, message, phoneNo, schedule, recipients, table, choices = {}, knownKeys = [] } = source;
    const sourceText = JSON.stringify([code, senderName, message, phoneNo, schedule, recipients, table?.text, choices]);
    if (this.#source === sourceText || this.#state.isSending) return;
    this.#endReader();
    this.#source = sourceText;
    const { publicUrl } = this.#state;
    this.#publish({ ...empty, publicUrl, code, senderName, message, schedule, choices, knownKeys });
    const known = table ?? (recipients && tableOfRecipients(recipients));
    if (known?.columns !== undefined) this.addTable({ ...known, origin: "carried over" });
    else if (known !== undefined) this.addList(known.text, "carried over");
    else if (phoneNo.length > TYPED_CHARACTERS_MAX) this.addList(phoneNo, "carried over");
    else this.setTypedNumbers(cleanNumbers(phoneNo, code, this.#rates, ONE_PER_LINE));
  }

  set(fields: Partial<Pick<Composition, "senderName" | "message" | "isSending" | "schedule" | "onMissing">>): void {
    this.#publish(fields);
    if (fields.message !== undefined) void this.#merge();
  }

  choose(choices: Choices): void {
    this.#publish({ choices: { ...this.#state.choices, ...choices } });
    void this.#merge();
  }

  /** Sending later begins with a time that is easy to change; sending now forgets it. */
  setLater(isLater: boolean): void {
    this.#publish({ schedule: isLater ? startSchedule() : undefined });
  }

  readonly setCode = (code: string): void => {
    this.#publish({ code });
    this.#read();
  };

  /** Reads the numbers again only when the set of codes changes, as when a code gets its own price; a new price alone does not matter. */
  setRates(rates: Rates): void {
    const hasSameCodes = rates.size === this.#rates.size && [...rates.keys()].every((code) => this.#rates.has(code));
    this.#rates = rates;
    if (!hasSameCodes) this.#read();
  }

  /** What decides how many pages a text has. */
  setTextRules({ pageRule, publicUrl }: { pageRule: PageRule; publicUrl: string }): void {
    this.#pageRule = pageRule;
    this.#publish({ publicUrl });
    void this.#merge();
  }

  /** Sets the text field's numbers; a long paste becomes a list instead. */
  setTypedNumbers(text: string): void {
    // A count that begins when the field is left would move the page under the press that left it.
    if (text === this.#state.typedNumbers) return;
    const addedCharacters = text.length - this.#state.typedNumbers.length;
    if (addedCharacters > TYPED_CHARACTERS_MAX) {
      this.#publish({ typedNumbers: "" });
      this.addList(text);
      return;
    }
    const numbers = withoutEnd(text);
    const isReadAlready = numbers !== "" && numbers === withoutEnd(this.#state.typedNumbers);
    this.#publish({ typedNumbers: text });
    // The field ends its last number when it is left, as by a press of Send SMS, which a count begun now would refuse.
    if (!isReadAlready) this.#read();
  }

  addList(text: string, origin = "pasted"): void {
    const listId = ++this.#lastListId;
    this.#publish({ lists: [...this.#state.lists, { listId, text, origin }] });
    this.#reader?.put(listId, text);
    this.#read();
  }

  /** Numbers with what is known of each. @param table.text see `writeTable`. */
  addTable(table: Omit<NumberList, "listId">): void {
    const listId = ++this.#lastListId;
    this.#publish({ lists: [...this.#state.lists, { listId, ...table }] });
    this.#reader?.put(listId, table.text, table.columns);
    this.#read();
  }

  /** All recipients are contacts of this catalog from now on. @param table see `writeTable`. */
  takeCatalog(table: Pick<NumberList, "text" | "columns" | "catalogId" | "origin">): void {
    this.#endReader();
    this.#publish({ lists: [], typedNumbers: "" });
    this.addTable(table);
  }

  removeList(listId: number): void {
    this.#publish({ lists: this.#state.lists.filter((list) => list.listId !== listId) });
    this.#reader?.drop(listId);
    this.#read();
  }

  /** Moves a list into the text field, before the numbers already there. */
  editList(listId: number): void {
    const list = this.#state.lists.find((candidate) => candidate.listId === listId);
    if (list === undefined) return;
    const { typedNumbers } = this.#state;
    this.#publish({ typedNumbers: typedNumbers === "" ? list.text : `${list.text}\n${typedNumbers}` });
    this.removeList(listId);
  }

  leaveOutWrong(): void {
    const { summary } = this.#state;
    this.#agreedTo = summary && nameWrong(summary);
    this.#publish({ leftOutCount: summary?.wrongCount ?? 0 });
  }

  /** Reads the numbers again after the worker failed, for example because it could not be fetched without a network. */
  readAgain(): void {
    this.#read();
  }

  /** Asks the worker about the recipients as they were read last. @throws Error while there are none, or when the worker has failed. */
  async ask(question: ListsQuestion): Promise<ListsAnswer> {
    if (this.#reader === undefined) throw new Error("There are no recipients");
    return await this.#reader.ask(question);
  }

  /** @returns the fields as they are sent: clean numbers, each once, with what is known of them where the texts differ. */
  async readBody(): Promise<ComposedBody> {
    const { code, senderName, message, onMissing } = this.#state;
    const body = { code, senderName, message, ...this.#chosen() };
    if (onlyList(this.#state)?.isKept === true) return { ...body, ...(onMissing && { onMissing }) };
    if (!isPersonal(this.#state)) return { ...body, phoneNo: await this.#readNumbers() };
    const source = this.#catalogId === undefined ? await this.#readRecipients() : { catalogId: this.#catalogId };
    return { ...body, ...source, ...(onMissing && { onMissing }) };
  }

  /** @returns the fields as a draft keeps them: numbers as they were typed and pasted, typed ones without their line ends. */
  async readDraft(): Promise<ComposedBody> {
    const { code, senderName, message, lists, typedNumbers } = this.#state;
    const body = { code, senderName, message, ...this.#chosen() };
    if (this.#catalogId !== undefined) return { ...body, catalogId: this.#catalogId };
    if (lists.some(({ columns }) => columns !== undefined)) return { ...body, ...(await this.#readRecipients()) };
    const texts = [...lists.map(({ text }) => text), typedNumbers.replaceAll(ONE_PER_LINE, ",")];
    return { ...body, phoneNo: texts.filter((text) => text !== "").join("\n") };
  }

  #chosen(): Pick<ComposedBody, keyof Choices> {
    const { validUntil, ...choices } = this.#state.choices;
    const end = validUntil && writeSendAt(validUntil);
    return { ...choices, ...(end !== undefined && { validUntil: end }) };
  }

  /** Of the catalog that is all there is. */
  get #catalogId(): string | undefined {
    return onlyList(this.#state)?.catalogId;
  }

  async #readNumbers(): Promise<string> {
    if (this.#reader === undefined) return "";
    const answer = await this.ask({ kind: "write" });
    return answer.kind === "written" ? answer.text : "";
  }

  async #readRecipients(): Promise<{ recipients: SendRecipient[] }> {
    const answer = await this.ask({ kind: "write-recipients" });
    return { recipients: answer.kind === "recipients" ? answer.recipients : [] };
  }

  keyFor(body: unknown): string {
    return this.#key.keyFor(body);
  }

  /** After a success: the next message starts empty, for the same country and under the same name. */
  startNext(): void {
    this.#key.renew();
    this.#source = "";
    this.#endReader();
    this.onNext?.();
    const { code, senderName, publicUrl } = this.#state;
    this.#publish({ ...empty, code, senderName, publicUrl });
  }

  end(): void {
    this.#endReader();
    this.#state = empty;
    this.#key.renew();
  }

  #read(): void {
    const { code, typedNumbers, lists } = this.#state;
    if (typedNumbers === "" && lists.length === 0) {
      this.#endReader();
      this.#publish({ summary: undefined, reading: "none", leftOutCount: 0, merged: undefined });
      return;
    }
    this.#publish({ reading: "running" });
    this.#reader ??= this.#startReader();
    this.#reader.read({ code, rates: this.#rates, typed: typedNumbers });
  }

  #startReader(): RecipientsReader {
    const reader = new RecipientsReader({
      onSummary: (summary, isCurrent) => {
        // The customer agreed to these wrong numbers, not to any others.
        const hasAgreed = this.#state.leftOutCount > 0 && this.#agreedTo === nameWrong(summary);
        this.#publish({
          summary,
          reading: isCurrent ? "done" : "running",
          leftOutCount: hasAgreed ? summary.wrongCount : 0,
        });
        void this.#merge();
      },
      onFailure: () => {
        this.#reader = undefined;
        this.#publish({ reading: "failed" });
      },
    });
    for (const { listId, text, columns } of this.#state.lists) reader.put(listId, text, columns);
    return reader;
  }

  /** Makes the texts anew in the worker, one time after another while they change, where recipients' texts differ. */
  async #merge(): Promise<void> {
    if (this.#isMerging) return;
    this.#isMerging = true;
    try {
      while (this.#reader !== undefined && isPersonal(this.#state) && !isMergeCurrent(this.#state)) {
        const { message, summary, reading } = this.#state;
        if (reading !== "done") return;
        const ending = endingOf(this.#state);
        const { publicUrl } = this.#state;
        const answer = await this.ask({ kind: "merge", message, ending, publicUrl, pageRule: this.#pageRule });
        if (answer.kind === "merged" && summary !== undefined)
          this.#publish({ merged: { ...answer.summary, of: summary } });
      }
      if (!isPersonal(this.#state) && this.#state.merged !== undefined) this.#publish({ merged: undefined });
    } catch {
      // The worker has failed, which the recipients' field says already.
    } finally {
      this.#isMerging = false;
    }
  }

  #endReader(): void {
    this.#reader?.end();
    this.#reader = undefined;
  }

  #publish(fields: Partial<Composition>): void {
    this.#state = { ...this.#state, ...fields };
    for (const listener of this.#listeners) listener();
  }
}

/** Which form composes. Each holds one composition: of the draft or message that was opened in it last. */
type ComposerForm = "new" | "draft" | "resend" | "scheduled" | "catalog";

type OpenForm = {
  id: string;
  composer: Composer;
  close: () => void;
};

const openForms = new Map<ComposerForm, OpenForm>();

/**
 * The composition of a form of this customer in this tab. Nothing of it outlives the session.
 *
 * @param id of the draft or message; a new message has none.
 */
export function getComposer(userId: string, form: ComposerForm = "new", id = ""): Composer {
  const found = openForms.get(form);
  if (found?.composer.userId === userId && found.id === id) return found.composer;
  found?.close();
  const opened = openForm(new Composer(userId), id, () => openForms.delete(form));
  openForms.set(form, opened);
  return opened.composer;
}

function openForm(composer: Composer, id: string, forget: () => void): OpenForm {
  const stop = onSessionChange(() => {
    if (getSession().userId === composer.userId) return;
    stop();
    composer.end();
    forget();
  });
  const close = (): void => {
    stop();
    // A composition that is being sent ends after its answer.
    if (!composer.getState().isSending) composer.end();
  };
  return { id, composer, close };
}

/** Numbers without the comma and the line end behind the last one. */
function withoutEnd(numbers: string): string {
  return numbers.replace(/[,\n]+$/, "");
}

/** The first hundred tell two sets of wrong numbers apart. */
function nameWrong({ wrongCount, wrong }: RecipientsSummary): string {
  return JSON.stringify([wrongCount, ...wrong.map(({ value }) => value)]);
}

/** A part of what is being composed; a component draws again only when its part changes. @param select gives the same value for the same composition. */
export function useComposition<T>(composer: Composer, select: (composition: Composition) => T): T {
  return useSyncExternalStore(composer.subscribe, () => select(composer.getState()));
}
