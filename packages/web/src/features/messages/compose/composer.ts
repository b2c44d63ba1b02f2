/**
 * The message that the customer composes: new, from a draft, sent again, scheduled, or to a catalog. It lives outside the page:
 * a refused send leads to the whitelists or to the units, and a customer who comes back finds everything as it was, with its
 * idempotency key. The composition ends with the session.
 *
 * Numbers are in two places: typed ones in a text field, and each long paste in a list of its own, because a text field
 * with megabytes freezes the page. Both are read together by a worker.
 */
import type { Rates, SendBody } from "@ewebal/contract";
import { DEFAULT_COUNTRY_CODE, DEFAULT_RATES } from "@ewebal/contract/rules";
import { useSyncExternalStore } from "react";
import { getSession, onSessionChange } from "../../../lib/session/session.ts";
import { IdempotencyKey } from "../../../lib/api/idempotency-key.ts";
import { startSchedule, type Schedule } from "../scheduled/schedule.ts";
import type { RecipientsSummary } from "../recipients/recipient-lists.ts";
import { RecipientsReader } from "../recipients/recipients-reader.ts";
import { cleanNumbers } from "../../../shared/numbers/clean-numbers.ts";
import { ONE_PER_LINE } from "../../../shared/numbers/numbers-field.tsx";

/** A paste longer than this (about 1,400 numbers) becomes a list. */
export const TYPED_CHARACTERS_MAX = 20_000;
/** Up to here (about 10,000 numbers) a list can go back into the text field; with more, typing in it would stutter on a phone. */
export const EDITED_CHARACTERS_MAX = 150_000;

export type NumberList = {
  listId: number;
  text: string;
  /** Where the list comes from, behind "12 numbers ": `pasted`, `carried over`, `from Customers`. */
  origin: string;
};

type Reading = "none" | "running" | "done" | "failed";

export type Composition = {
  code: string;
  senderName: string;
  message: string;
  typedNumbers: string;
  lists: readonly NumberList[];
  /** Of the newest reading that has ended; undefined while there are no numbers. */
  summary: RecipientsSummary | undefined;
  reading: Reading;
  /** How many wrong numbers the customer has agreed to leave out. */
  leftOutCount: number;
  /** True while a send waits for its answer, also when the customer looks at another page. */
  isSending: boolean;
  /** When it is to be sent; undefined: now. */
  schedule: Schedule | undefined;
};

/** What a form begins with: a draft's or an earlier message's four fields, and the time of a scheduled one. */
export type Source = {
  schedule?: Schedule;
  /** Units that it holds already, in thousandths. */
  heldMilli?: number;
} & SendBody;

const empty: Composition = {
  code: DEFAULT_COUNTRY_CODE,
  senderName: "",
  message: "",
  typedNumbers: "",
  lists: [],
  summary: undefined,
  reading: "none",
  leftOutCount: 0,
  isSending: false,
  schedule: undefined,
};

export class Composer {
  readonly userId: string;
  readonly #key = new IdempotencyKey();
  readonly #listeners = new Set<() => void>();
  #state = empty;
  #reader: RecipientsReader | undefined;
  #lastListId = 0;
  #rates: Rates = DEFAULT_RATES;
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
    const { code, senderName, message, phoneNo, schedule } = source;
    const sourceText = JSON.stringify([code, senderName, message, phoneNo, schedule]);
    if (this.#source === sourceText || this.#state.isSending) return;
    this.#endReader();
    this.#source = sourceText;
    this.#publish({ ...empty, code, senderName, message, schedule });
    if (phoneNo.length > TYPED_CHARACTERS_MAX) this.addList(phoneNo, "carried over");
    else this.setTypedNumbers(cleanNumbers(phoneNo, code, this.#rates, ONE_PER_LINE));
  }

  set(fields: Partial<Pick<Composition, "senderName" | "message" | "isSending" | "schedule">>): void {
    this.#publish(fields);
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

  /** @returns the four fields as they are sent: clean numbers, each once. */
  async readBody(): Promise<SendBody> {
    const { code, senderName, message } = this.#state;
    return { code, senderName, message, phoneNo: (await this.#reader?.write()) ?? "" };
  }

  /** @returns the four fields as a draft keeps them: numbers as they were typed and pasted, typed ones without their line ends. */
  readDraft(): SendBody {
    const { code, senderName, message, lists, typedNumbers } = this.#state;
    const texts = [...lists.map(({ text }) => text), typedNumbers.replaceAll(ONE_PER_LINE, ",")];
    return { code, senderName, message, phoneNo: texts.filter((text) => text !== "").join("\n") };
  }

  keyFor(body: Readonly<Record<string, string>>): string {
    return this.#key.keyFor(body);
  }

  /** After a success: the next message starts empty, for the same country and under the same name. */
  startNext(): void {
    this.#key.renew();
    this.#source = "";
    this.#endReader();
    this.#publish({ ...empty, code: this.#state.code, senderName: this.#state.senderName });
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
      this.#publish({ summary: undefined, reading: "none", leftOutCount: 0 });
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
      },
      onFailure: () => {
        this.#reader = undefined;
        this.#publish({ reading: "failed" });
      },
    });
    for (const { listId, text } of this.#state.lists) reader.put(listId, text);
    return reader;
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
