/** Reads the mails that `mail-message.ts` builds, for the mailbox page: four headers and the plain text. */

export type ReadMail = { from: string; to: string; subject: string; date: string; text: string };

export function readEml(eml: Buffer): ReadMail {
  const { headers, body } = splitPart(eml.toString("latin1"));
  const header = (name: string): string => decodeWords(headers.get(name) ?? "");
  return {
    from: header("from"),
    to: header("to"),
    subject: header("subject"),
    date: header("date"),
    text: plainTextOf(headers, body).replaceAll("\r\n", "\n").trim(),
  };
}

type Headers = ReadonlyMap<string, string>;

function splitPart(part: string): { headers: Headers; body: string } {
  const end = part.search(/\r?\n\r?\n/);
  const head = end === -1 ? part : part.slice(0, end);
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: end === -1 ? "" : part.slice(end).replace(/^\r?\n\r?\n/, "") };
}

function plainTextOf(headers: Headers, body: string): string {
  const boundary = /boundary="?([^";]+)"?/i.exec(headers.get("content-type") ?? "")?.[1];
  if (boundary === undefined) return decodeBody(headers, body);
  for (const section of body.split(`--${boundary}`).slice(1)) {
    const part = splitPart(section.replace(/^\r?\n/, ""));
    if (part.headers.get("content-type")?.startsWith("text/plain") === true) return decodeBody(part.headers, part.body);
  }
  return "";
}

function decodeBody(headers: Headers, body: string): string {
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase();
  if (encoding === "quoted-printable") return decodeQuoted(body.replace(/=\r?\n/g, ""));
  return Buffer.from(body, encoding === "base64" ? "base64" : "latin1").toString("utf8");
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Headers in other alphabets travel as `=?UTF-8?Q?...?=`, several of them with spaces between that mean nothing. */
function decodeWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_match, encoding: string, text: string) =>
      encoding.toLowerCase() === "b"
        ? Buffer.from(text, "base64").toString("utf8")
        : decodeQuoted(text.replaceAll("_", " ")),
    );
}
