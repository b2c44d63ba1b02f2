/**
 * Every bound of the product that both sides must agree on. Units are in the names.
 * Values with (spec) stand word for word in the specification's sections 5 and 9.
 */
export const limits = {
  passwordCharactersMin: 6, // (spec)
  passwordCharactersMax: 128,
  personNameCharactersMax: 100,
  emailCharactersMax: 254, // RFC 5321 path limit less the angle brackets
  phoneInputDigitsMax: 14, // (spec) what the +234 field holds
  senderNameCharactersMin: 3,
  senderNameCharactersMax: 11, // (spec), and what an alphanumeric SMPP sender can carry
  senderNamesTextCharactersMax: 1_000, // about 80 names with commas between them
  catalogSenderInputCharactersMax: 18, // (spec) the dialog's field; longer than 11 is refused, never cut
  messageCharactersMax: 1_600, // ten pages of 160
  pageCharacters: 160, // (spec)
  recipientsMax: 1_000_000,
  searchCharactersMax: 100,
  dndBodyCharactersMax: 60_000, // some 4,000 numbers, within what an ordinary JSON body may hold
  apiKeyNameCharactersMax: 50,
  apiKeysMax: 100, // of one customer, of all kinds; revoked ones do not count
  membersMax: 100, // of one account, with invited mailboxes
  subAccountsMax: 1_000, // of one account
  catalogNameCharactersMax: 50, // (spec)
  catalogsMax: 1_000, // of one customer
  catalogContactsMax: 1_000_000, // of one catalog: what one send takes
  catalogContactsCarriedMax: 10_000, // what find-one-catalog carries, some 170 kB
  contactFileBytesMax: 20 * 1024 * 1024,
  announcementCharactersMax: 2_000,
  subjectCharactersMax: 150,
  reasonCharactersMax: 300,
  helpMessageCharactersMax: 5_000,
  listRowsDefault: 50,
  listRowsMax: 100,
  embeddedIdsMax: 50, // newest ids that a user carries beside each count
  listedPhoneNosMax: 100, // numbers that a listed message carries
  idempotencyKeyCharactersMax: 200,
  unitsMaxPerCredit: 100_000_000,
  otpDigits: 4, // (spec)
  factorCodeCharactersMax: 40, // a recovery code has 19
  sourceWhitelistCharactersMin: 5, // (spec) what enables the request form
  previewCharacters: 50, // (spec) scheduled list
  usageDays: 30, // of a customer's keys, today among them
  dashboardDays: 30, // that a customer's dashboard shows, today among them
  adminPreviewCharacters: 100, // (spec)
  instantUnitsMin: 100, // (spec)
  receiptBytesMax: 5 * 1024 * 1024, // (spec)
  tellerIdCharactersMax: 50,
  instantUnitsMax: 5_000_000, // a card rarely carries more in one payment; larger sums come by bank
  callsPerSecond: 100, // of each API key; administrators may give a customer another number
  jsonBodyBytesMax: 64 * 1024,
  sendBodyBytesMax: 20 * 1024 * 1024,
} as const;

/** How long things last, in milliseconds. */
export const durationsMs = {
  inactivity: 20 * 60_000, // (spec)
  logoutNotice: 3_000, // (spec)
  draftDeleteNotice: 4_000, // (spec)
  announcementNotice: 3_000, // (spec)
  dashboardCoverMax: 2_000, // (spec) at most; never holds back what is ready
  popupSpinnerMax: 2_000, // (spec)
  creditModalSpinnerMax: 1_000, // (spec)
  appLoaderMax: 500, // (spec)
} as const;
