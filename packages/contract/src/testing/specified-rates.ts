/**
 * The specification's table of section 9, transcribed a second time and letter for letter, with exact arithmetic on its
 * decimal text: for tests to hold the product's own table against.
 */
const SPECIFIED_TABLE = `
| 3 | 234 |
| 5 | 7 |
| 5.9 | 93, 355, 376, 501, 267, 673, 53, 20, 251, 298, 679, 220, 350, 224, 354, 254, 231, 370, 352, 389, 223, 356, 258, 264, 977, 64, 968, 970, 966, 232, 249, 992, 216, 256, 998, 967, 855 |
| 6.2 | 213, 65 |
| 6.5 | 592, 960 |
| 7 | 509, 852, 98, 598, 260, 263 |
| 7.3 | 84 |
| 7.6 | 385 |
| 7.9 | 973, 375, 972, 261, 373, 976, 227, 226 |
| 9.1 | 244 |
| 9.4 | 994, 502, 377, 212, 31, 507, 675, 63, 41 |
| 10 | 357 |
| 10.2 | 371 |
| 10.4 | 684 |
| 10.9 | 993 |
| 12 | 225 |
| 12.2 | 420, 36 |
| 12.3 | 390 |
| 13.8 | 47 |
| 14.7 | 46 |
| 15 | 962, 382, 974, 58 |
| 15.2 | 961 |
| 15.3 | 30 |
| 15.5 | 359 |
| 16 | 374, 235, 965, 266 |
| 16.5 | 233, 91, 62, 964, 353 |
| 16.7 | 81 |
| 16.8 | 33, 49, 351, 34 |
| 17.2 | 590, 856 |
| 17.3 | 504, 57 |
| 17.5 | 880, 32, 229, 975, 257, 237, 236, 56, 45, 372, 358, 995, 265, 60, 230 |
| 17.7 | 55 |
| 18 | 54, 86, 44, 1 |
| 19.7 | 43 |
| 20 | 61, 243, 39, 52, 48, 27, 255, 66, 971 |
| 22 | 40 |
| 60.9 | 221, 248, 421, 94, 963, 886, 228, 90 |
| 70 | 250 |
`;

/** A rate as a fraction of whole numbers, read from its decimal text without ever being a float. */
export type ExactRate = {
  code: string;
  text: string;
  numerator: bigint;
  denominator: bigint;
};

export const SPECIFIED_RATES: readonly ExactRate[] = SPECIFIED_TABLE.trim()
  .split("\n")
  .flatMap((row) => {
    const [, text = "", codes = ""] = row.split("|").map((cell) => cell.trim());
    const [whole = "", decimals = ""] = text.split(".");
    const numerator = BigInt(whole + decimals);
    const denominator = 10n ** BigInt(decimals.length);
    return codes.split(", ").map((code) => ({ code, text, numerator, denominator }));
  });
