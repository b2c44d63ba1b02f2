/** Keys of programs: their kinds, their modes, and what a key may be limited to. */

/** `api` for our own API, `twilio` for clients of Twilio, `smpp` for SMPP connections. */
export const programKeyKinds = ["api", "twilio", "smpp"] as const;
export type ProgramKeyKind = (typeof programKeyKinds)[number];

/** What a test key sends is charged to nobody and reaches no carrier. */
export const programKeyModes = ["live", "test"] as const;
export type ProgramKeyMode = (typeof programKeyModes)[number];

/** A key has all of them unless its owner names some. */
export const programKeyScopes = [
  "messages:send",
  "messages:read",
  "contacts",
  "billing:read",
  "webhooks",
  "inbox",
] as const;
export type ProgramKeyScope = (typeof programKeyScopes)[number];

export const programKeyLimits = {
  /** Addresses and networks that one key names. */
  addressesMax: 50,
  addressCharactersMax: 49, // an IPv6 address of 45 characters and its prefix
  bindsDefault: 2,
  bindsMax: 20, // connections of one SMPP key at once
  perSecondDefault: 100,
  perSecondMax: 10_000, // messages a second of one SMPP key
} as const;
