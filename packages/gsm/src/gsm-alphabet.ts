/**
 * The GSM 03.38 alphabet (3GPP TS 23.038, sections 6.2.1 and 6.2.1.1): the basic table, one septet a character, and the
 * extension table, two septets a character (an escape and a code).
 */

/** The septet that announces a character of the extension table. */
export const ESCAPE_SEPTET = 0x1b;

/** The 128 characters by septet; the escape's own place holds U+FFFD, because it stands for no character. */
const BASIC_CHARACTERS =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\uFFFDÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

/** Septet after the escape, and its character. Form feed is the standard's page break. */
const EXTENSION_CHARACTERS: ReadonlyArray<readonly [septet: number, character: string]> = [
  [0x0a, "\f"],
  [0x14, "^"],
  [0x28, "{"],
  [0x29, "}"],
  [0x2f, "\\"],
  [0x3c, "["],
  [0x3d, "~"],
  [0x3e, "]"],
  [0x40, "|"],
  [0x65, "€"],
];

const SEPTET_COUNT_SHIFT = 8;

/**
 * One entry for each UTF-16 code unit: the septet in the low byte, the number of septets (0: not in the alphabet) above it.
 * A full table of 128 KiB, because one indexed read a character is what makes segmentation cheap enough for every keystroke.
 */
const ENTRIES = buildEntries();
const EXTENSION_BY_SEPTET = new Map(EXTENSION_CHARACTERS);

function buildEntries(): Uint16Array {
  const entries = new Uint16Array(0x1_0000);
  for (let septet = 0; septet < BASIC_CHARACTERS.length; septet += 1) {
    if (septet === ESCAPE_SEPTET) continue;
    entries[BASIC_CHARACTERS.charCodeAt(septet)] = (1 << SEPTET_COUNT_SHIFT) | septet;
  }
  for (const [septet, character] of EXTENSION_CHARACTERS) {
    entries[character.charCodeAt(0)] = (2 << SEPTET_COUNT_SHIFT) | septet;
  }
  return entries;
}

/**
 * @param charCode a UTF-16 code unit, as `charCodeAt` gives it.
 * @returns how many septets the character takes: 1, 2, or 0 when the alphabet does not have it.
 */
export function septetCountOf(charCode: number): number {
  return (ENTRIES[charCode] ?? 0) >> SEPTET_COUNT_SHIFT;
}

/**
 * @param charCode a UTF-16 code unit of which `septetCountOf` is 1 or 2.
 * @returns its septet in the basic table, or in the extension table when it takes two.
 */
export function septetOf(charCode: number): number {
  return (ENTRIES[charCode] ?? 0) & 0x7f;
}

/** @returns the character of a septet of the basic table; U+FFFD for the escape and for anything that is not a septet. */
export function basicCharacterOf(septet: number): string {
  return BASIC_CHARACTERS[septet] ?? "\uFFFD";
}

/** @returns the character of a septet that follows an escape, or undefined when the extension table has none there. */
export function extensionCharacterOf(septet: number): string | undefined {
  return EXTENSION_BY_SEPTET.get(septet);
}

/** @returns whether every character of the text is in the alphabet, so that it travels as GSM-7. */
export function isGsmText(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (septetCountOf(text.charCodeAt(index)) === 0) return false;
  }
  return true;
}
