/** `@ewebal/contract/rules`: what browser and server compute alike, without zod. */
export * from "../errors.ts";
export * from "../limits.ts";
export * from "./choices.ts";
export * from "./files/contact-file.ts";
export * from "./files/csv-cells.ts";
export * from "./money/charge.ts";
export * from "./money/rates.ts";
export * from "./money/units.ts";
export * from "./numbers/countries.ts";
export * from "./numbers/further-countries.ts";
export * from "./numbers/nigerian-networks.ts";
export * from "./numbers/phone-numbers.ts";
export * from "./numbers/wrong-number-words.ts";
export * from "./text/email-rules.ts";
export * from "./text/lagos-date.ts";
export * from "./text/page-count.ts";
