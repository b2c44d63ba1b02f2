/** @returns the address that calls a number: digits, and the plus where there is one. */
export function toPhoneAddress(phone: string): string {
  return `tel:${phone.replaceAll(/[^+0-9]/g, "")}`;
}
