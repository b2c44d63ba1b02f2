const storageKey = "ewebal.otpToken";

/** Keeps the token of a registration in this tab, for the page that takes the code. It is worth nothing without the mail. */
export function keepRegistrationToken(token: string): void {
  try {
    sessionStorage.setItem(storageKey, token);
  } catch {
    // Storage is blocked: the link in the mail leads to the same page.
  }
}

export function readRegistrationToken(): string | undefined {
  try {
    return sessionStorage.getItem(storageKey) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetRegistrationToken(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // There is nothing kept.
  }
}
