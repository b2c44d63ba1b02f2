/**
 * Texts of an HTTP carrier in which `{{name}}` stands for a value: its address, its headers and its body. A text is cut up once and filled in one go,
 * so that what a message says is never read as a place: `{{id}}` in a customer's text stays those six characters.
 */

/** What stands for the message. Every other name is one of the carrier's `secrets`. */
export const messagePlaces = ["to", "from", "text", "id"] as const;
export type MessagePlace = (typeof messagePlaces)[number];

/** Where a value is put, which decides how it is escaped. */
export type TemplateForm = "json" | "form" | "xml" | "address" | "header";

/** One literal more than names: `literals[0] names[0] literals[1] ...`. */
export type HttpTemplate = { readonly literals: readonly string[]; readonly names: readonly string[] };

const PLACE = /\{\{\s*([A-Za-z][A-Za-z0-9_]{0,39})\s*\}\}/g;

export function cutTemplate(text: string): HttpTemplate {
  const literals: string[] = [];
  const names: string[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    literals.push(text.slice(end, match.index));
    names.push(match[1] ?? "");
    end = match.index + match[0].length;
  }
  return { literals: [...literals, text.slice(end)], names };
}

/** @param values every name of the template. */
export function fillTemplate(
  { literals, names }: HttpTemplate,
  form: TemplateForm,
  values: Readonly<Record<string, string>>,
): string {
  const escape = escapes[form];
  let filled = literals[0] ?? "";
  for (let index = 0; index < names.length; index += 1)
    filled += escape(values[names[index] ?? ""] ?? "") + (literals[index + 1] ?? "");
  return filled;
}

/** Puts the values that never change into a template, escaped, and leaves the message's places. */
export function fixTemplate(
  template: HttpTemplate,
  form: TemplateForm,
  values: Readonly<Record<string, string>>,
): HttpTemplate {
  const literals = [template.literals[0] ?? ""];
  const names: string[] = [];
  for (const [index, name] of template.names.entries()) {
    const after = template.literals[index + 1] ?? "";
    if (isMessagePlace(name)) {
      names.push(name);
      literals.push(after);
    } else literals[literals.length - 1] += escapes[form](values[name] ?? "") + after;
  }
  return { literals, names };
}

export function isMessagePlace(name: string): name is MessagePlace {
  return (messagePlaces as readonly string[]).includes(name);
}

/** @returns how values are escaped in a body of a media type; undefined for one that we cannot fill safely. */
export function formOfMediaType(mediaType: string): "json" | "form" | "xml" | undefined {
  const type = mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || type.endsWith("+json")) return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type === "application/xml" || type === "text/xml" || type.endsWith("+xml")) return "xml";
  return undefined;
}

/** XML 1.0 has no other control characters, not even as entities. */
const XML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
};

const escapes: Readonly<Record<TemplateForm, (value: string) => string>> = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: (value) => encodeURIComponent(value.toWellFormed()),
  address: (value) => encodeURIComponent(value.toWellFormed()),
  xml: (value) => value.toWellFormed().replace(/[^\x20-\x7e\x80-\uffff]|[&<>"']/g, (one) => XML_ENTITIES[one] ?? ""),
  header: (value) => value,
};
