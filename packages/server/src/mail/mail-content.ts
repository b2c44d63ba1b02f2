/** What a mail says, before it is made into plain text and HTML. Texts are shown as text: nothing in them is markup. */
export type MailBlock =
  | { kind: "text"; text: string }
  /** A link to one of our pages. `path` begins with a slash; the address in front of it is `PUBLIC_URL`. */
  | { kind: "action"; label: string; path: string }
  /** Stands alone on its line, so that people and programs can copy it. */
  | { kind: "code"; code: string }
  | { kind: "facts"; rows: readonly (readonly [label: string, value: string])[] };

export type MailContent = {
  recipient: string;
  /** Whom an answer goes to, when not to the sender of all mails. */
  replyTo?: string;
  subject: string;
  /** "Hello Ada," */
  greetingName?: string;
  blocks: readonly MailBlock[];
};
