/**
 * A second, slow and obvious implementation, written from the standard's text alone, for tests to compare with. It shares
 * no table and no code with the real one.
 */

const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const EXTENSION = new Set("^{}\\[~]|€\f");

export type NaiveResult = {
  encoding: "gsm7" | "ucs2";
  lengthUnits: number;
  parts: string[];
};

/** @param atoms what must stay together; the text's code points, or larger clusters. */
export function segmentNaively(atoms: readonly string[], referenceBits: 8 | 16 = 8): NaiveResult {
  const isGsm = atoms.every((atom) => BASIC.has(atom) || EXTENSION.has(atom));
  const sizeOf = (atom: string) => (isGsm ? (EXTENSION.has(atom) ? 2 : 1) : atom.length);
  const lengthUnits = atoms.reduce((sum, atom) => sum + sizeOf(atom), 0);
  const headerBits = referenceBits === 8 ? 48 : 56;
  const bitsPerUnit = isGsm ? 7 : 16;
  const single = Math.floor(1120 / bitsPerUnit);
  const joined = Math.floor((1120 - headerBits) / bitsPerUnit);
  const encoding = isGsm ? "gsm7" : "ucs2";
  if (lengthUnits === 0) return { encoding, lengthUnits, parts: [] };
  if (lengthUnits <= single) return { encoding, lengthUnits, parts: [atoms.join("")] };
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const atom of atoms) {
    if (used + sizeOf(atom) > joined) {
      parts.push(part);
      part = "";
      used = 0;
    }
    part += atom;
    used += sizeOf(atom);
  }
  parts.push(part);
  return { encoding, lengthUnits, parts };
}

/** The fewest parts that any cutting between code points can reach, by dynamic programming. */
export function fewestParts(atoms: readonly string[], capacityUnits: number, sizeOf: (atom: string) => number): number {
  const best: number[] = [0];
  for (let end = 1; end <= atoms.length; end += 1) {
    let fewest = Infinity;
    let used = 0;
    for (let start = end - 1; start >= 0; start -= 1) {
      used += sizeOf(atoms[start] ?? "");
      if (used > capacityUnits) break;
      fewest = Math.min(fewest, (best[start] ?? Infinity) + 1);
    }
    best.push(fewest);
  }
  return best[atoms.length] ?? 0;
}
