/** Codes that are sent to people's phones and come back. */
export const codeLimits = {
  lengthMin: 4,
  lengthMax: 8,
  lengthDefault: 6,
  expiresSecondsMin: 10,
  expiresSecondsMax: 3_600,
  expiresSecondsDefault: 600,
  triesMax: 5,
  /** Within an hour, of one customer. */
  codesPerNumber: 5,
  /** Within ten minutes, of one customer, to numbers that differ in the last two digits alone. */
  neighboursMax: 20,
} as const;

/** What stands in place of a code wherever a text is shown. */
export const HIDDEN_CODE = "••••••";

const CODE_FIELD = /\{\{\s*code\s*\}\}/g;

/** How often a template names the code. */
export function countCodeFields(template: string): number {
  return template.match(CODE_FIELD)?.length ?? 0;
}

export function fillCode(template: string, code: string): string {
  return template.replaceAll(CODE_FIELD, code);
}

export function defaultCodeTemplate(expiresSeconds: number): string {
  const [count, unit] = expiresSeconds % 60 === 0 ? [expiresSeconds / 60, "minute"] : [expiresSeconds, "second"];
  return `Your code is {{code}}. It is valid for ${count} ${unit}${count === 1 ? "" : "s"}. Tell it to nobody.`;
}
