import { List, type Page } from "./list.ts";
import { Requests, type CallOptions, type ClientOptions } from "./requests.ts";
import type {
  Added,
  Catalog,
  Column,
  Contact,
  InboxMessage,
  ListOptions,
  Message,
  MessageState,
  Movement,
  OptOut,
  Rate,
  Recipient,
  RecipientState,
  Send,
  Sender,
  SentMessage,
  Template,
  TriedMessage,
  Verification,
  Webhook,
  WebhookEventType,
} from "./types.ts";

type Told = { message: string };
type With<Data> = Told & { data: Data };

/**
 * The API by its parts. A refusal is thrown as `EwebalError`, a lost connection as `ConnectionError`. What may pass is repeated; what costs
 * units carries an idempotency key, so that a repeat is never a second message.
 */
export class Ewebal {
  readonly messages: Messages;
  readonly catalogs: Catalogs;
  readonly templates: Templates;
  readonly optOuts: OptOuts;
  readonly inbox: Inbox;
  readonly account: Account;
  readonly webhooks: Webhooks;
  readonly verifications: Verifications;

  constructor(options: ClientOptions) {
    const calls = new Calls(new Requests(options));
    this.messages = new Messages(calls);
    this.catalogs = new Catalogs(calls);
    this.templates = new Templates(calls);
    this.optOuts = new OptOuts(calls);
    this.inbox = new Inbox(calls);
    this.account = new Account(calls);
    this.webhooks = new Webhooks(calls);
    this.verifications = new Verifications(calls);
  }
}

/** Calls by what may be repeated of them. */
class Calls {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  async read<Result>(path: string, query?: object): Promise<Result> {
    return await this.#requests.call({ method: "GET", path, query, repeat: "repeatable" });
  }

  /** What the server does once for each idempotency key. */
  async makeOnce<Result>(path: string, body: unknown, options?: CallOptions): Promise<Result> {
    return await this.#requests.call({ method: "POST", path, body, repeat: "keyed" }, options);
  }

  /** @param isRepeatable whether doing it twice is doing it once. */
  async post<Result>(path: string, body: unknown, isRepeatable: boolean): Promise<Result> {
    return await this.#requests.call({ method: "POST", path, body, repeat: isRepeatable ? "repeatable" : "once" });
  }

  async change<Result>(path: string, body: unknown): Promise<Result> {
    return await this.#requests.call({ method: "PATCH", path, body, repeat: "repeatable" });
  }

  /** Repeated only when nothing was done: the second of two deletes would answer that there is nothing. */
  async remove(path: string, body?: unknown): Promise<void> {
    await this.#requests.call({ method: "DELETE", path, body, repeat: "once" });
  }

  list<Row>(path: string, query: object = {}): List<Row> {
    return new List<Row>(async (after) => await this.read<Page<Row>>(path, { ...query, after }));
  }
}

const at = (...parts: string[]): string => parts.map((part) => encodeURIComponent(part)).join("/");

class Messages {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Sends now, or with `sendAt` later. */
  async send(send: Send, options?: CallOptions): Promise<SentMessage> {
    return await this.#calls.makeOnce("messages", send, options);
  }

  /** Says what the same send would answer, and changes nothing. */
  async try(send: Send): Promise<TriedMessage> {
    return await this.#calls.post("messages", { ...send, dryRun: true }, true);
  }

  list(
    filter: ListOptions & { state?: MessageState; sender?: string; from?: string; to?: string } = {},
  ): List<Message> {
    return this.#calls.list("messages", filter);
  }

  async get(messageId: string): Promise<Message> {
    return (await this.#calls.read<With<Message>>(at("messages", messageId))).data;
  }

  /** What a message that waits for its time is to be. */
  async edit(
    messageId: string,
    change: { message?: string; senderName?: string; sendAt?: string; timeZone?: string },
  ): Promise<SentMessage> {
    return await this.#calls.change(at("messages", messageId), change);
  }

  recipients(messageId: string, filter: ListOptions & { state?: RecipientState } = {}): List<Recipient> {
    return this.#calls.list(at("messages", messageId, "recipients"), filter);
  }

  async pause(messageId: string): Promise<void> {
    await this.#calls.post(at("messages", messageId, "pause"), undefined, true);
  }

  async resume(messageId: string): Promise<void> {
    await this.#calls.post(at("messages", messageId, "resume"), undefined, true);
  }

  async cancel(messageId: string): Promise<void> {
    await this.#calls.post(at("messages", messageId, "cancel"), undefined, true);
  }
}

type NewColumn = Pick<Column, "label"> & { key?: string };
type NewContact = { phoneNo: string; fields?: Record<string, string> };

class Catalogs {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  list(filter: ListOptions & { search?: string } = {}): List<Catalog> {
    return this.#calls.list("catalogs", filter);
  }

  /** @returns the new catalog's id. */
  async create(
    catalog: { catalogName: string; code: string; columns?: NewColumn[] },
    options?: CallOptions,
  ): Promise<string> {
    return (await this.#calls.makeOnce<With<{ _id: string }>>("catalogs", catalog, options)).data._id;
  }

  async get(catalogId: string): Promise<Catalog> {
    return (await this.#calls.read<With<Catalog>>(at("catalogs", catalogId))).data;
  }

  async edit(catalogId: string, change: { catalogName?: string; columns?: NewColumn[] }): Promise<void> {
    await this.#calls.change(at("catalogs", catalogId), change);
  }

  async delete(catalogId: string): Promise<void> {
    await this.#calls.remove(at("catalogs", catalogId));
  }

  contacts(
    catalogId: string,
    filter: ListOptions & { search?: string; sort?: string; order?: "asc" | "desc" } = {},
  ): List<Contact> {
    return this.#calls.list(at("catalogs", catalogId, "contacts"), filter);
  }

  /** Numbers, or contacts with their fields; one that is there gets the new fields. */
  async add(
    catalogId: string,
    contacts: { phoneNo: string } | { contacts: NewContact[] },
    options?: CallOptions,
  ): Promise<Added> {
    return (await this.#calls.makeOnce<With<Added>>(at("catalogs", catalogId, "contacts"), contacts, options)).data;
  }

  async editContact(catalogId: string, contact: { phoneNo: string; fields: Record<string, string> }): Promise<Contact> {
    return (await this.#calls.change<With<Contact>>(at("catalogs", catalogId, "contacts"), contact)).data;
  }

  async deleteContact(catalogId: string, phoneNo: string): Promise<void> {
    await this.#calls.remove(at("catalogs", catalogId, "contacts"), { phoneNo });
  }
}

class Templates {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  list(filter: ListOptions = {}): List<Template> {
    return this.#calls.list("templates", filter);
  }

  async create(template: { name: string; message: string }): Promise<Template> {
    return (await this.#calls.post<With<Template>>("templates", template, false)).data;
  }

  async get(templateId: string): Promise<Template> {
    return (await this.#calls.read<With<Template>>(at("templates", templateId))).data;
  }

  async edit(templateId: string, change: { name?: string; message?: string }): Promise<Template> {
    return (await this.#calls.change<With<Template>>(at("templates", templateId), change)).data;
  }

  async delete(templateId: string): Promise<void> {
    await this.#calls.remove(at("templates", templateId));
  }
}

class OptOuts {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  list(filter: ListOptions & { search?: string } = {}): List<OptOut> {
    return this.#calls.list("opt-outs", filter);
  }

  /** @param phoneNo numbers with their country code, commas between them. */
  async add(phoneNo: string): Promise<{ added: number; existing: number }> {
    return (await this.#calls.post<With<{ added: number; existing: number }>>("opt-outs", { phoneNo }, true)).data;
  }

  async remove(phoneNo: string): Promise<void> {
    await this.#calls.remove("opt-outs", { phoneNo });
  }
}

class Inbox {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  list(filter: ListOptions & { from?: string } = {}): List<InboxMessage> {
    return this.#calls.list("inbox", filter);
  }

  async reply(inboxId: string, message: string, options?: CallOptions): Promise<SentMessage> {
    return await this.#calls.makeOnce(at("inbox", inboxId, "reply"), { message }, options);
  }
}

class Account {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The units that can be spent. */
  async balance(): Promise<number> {
    return (await this.#calls.read<With<{ units: number }>>("balance")).data.units;
  }

  /** @param filter month: one of Lagos, `2026-11`. */
  statement(filter: ListOptions & { month?: string; kind?: string } = {}): List<Movement> {
    return this.#calls.list("statement", filter);
  }

  senders(): List<Sender> {
    return this.#calls.list("senders");
  }

  rates(filter: { code?: string } = {}): List<Rate> {
    return this.#calls.list("rates", filter);
  }
}

class Webhooks {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  list(): List<Webhook> {
    return this.#calls.list("webhooks");
  }

  /** @returns the endpoint with its secret, which is in this answer and in that of `rotate` alone. */
  async create(webhook: {
    url: string;
    events: WebhookEventType[];
    secret?: string;
  }): Promise<Webhook & { secret: string }> {
    return (await this.#calls.post<With<Webhook & { secret: string }>>("webhooks", webhook, false)).data;
  }

  async edit(webhookId: string, change: Partial<Pick<Webhook, "url" | "events" | "state">>): Promise<void> {
    await this.#calls.change(at("webhooks", webhookId), change);
  }

  async delete(webhookId: string): Promise<void> {
    await this.#calls.remove(at("webhooks", webhookId));
  }

  /** @returns the new secret; both hold for 24 hours. */
  async rotate(webhookId: string): Promise<string> {
    return (await this.#calls.post<With<{ secret: string }>>(at("webhooks", webhookId, "rotate"), undefined, false))
      .data.secret;
  }

  /** @returns how many events are delivered again. */
  async replay(
    webhookId: string,
    which: { eventId: string } | { failed: true } | { from: string; to: string },
  ): Promise<number> {
    return (await this.#calls.post<With<{ queued: number }>>(at("webhooks", webhookId, "replay"), which, false)).data
      .queued;
  }
}

class Verifications {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Sends a code. */
  async start(
    verification: { to: string; senderName: string; length?: number; expiresIn?: number; template?: string },
    options?: CallOptions,
  ): Promise<Verification> {
    return (await this.#calls.makeOnce<With<Verification>>("verifications", verification, options)).data;
  }

  /** @throws EwebalError `CODE_WRONG`, `CODE_EXPIRED`. */
  async check(verificationId: string, code: string): Promise<void> {
    await this.#calls.post(at("verifications", verificationId, "check"), { code }, false);
  }
}
