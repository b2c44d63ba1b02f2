/** Where the provider's own checkout pages are, wherever its calls are answered. */
const PAYSTACK_DOMAINS = ["paystack.com", "paystack.co"];

/**
 * A browser with a customer's trust is sent there, so an answer that was tampered with must not choose the place.
 *
 * @param address what the provider answered.
 * @param providerUrl the provider's address in the settings.
 */
export function isCheckoutAddress(address: string, providerUrl: string): boolean {
  const url = URL.parse(address);
  const provider = new URL(providerUrl);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === provider.protocol && url.hostname === provider.hostname) return true;
  const isPaystack = PAYSTACK_DOMAINS.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  return isPaystack && url.protocol === "https:" && url.port === "";
}
