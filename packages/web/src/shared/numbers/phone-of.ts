/** A number with its plus; short codes and names stay as they are. */
export function phoneOf(address: string): string {
  return /^[0-9]{9,15}$/.test(address) ? `+${address}` : address;
}
