/** Bounds of fields, recipients with fields and templates; apart from `limits`, which every page brings along. */
export const personalLimits = {
  catalogColumnsMax: 20, // beside the number
  columnLabelCharactersMax: 50,
  fieldCharactersMax: 160,
  contactsPerCallMax: 10_000, // contacts or recipients with fields in one call
  referenceCharactersMax: 64, // what a program calls a recipient
  templateNameCharactersMax: 50,
  templatesMax: 500, // of one customer
  testSendsPerHour: 10,
  linkCodeCharacters: 7, // of A-Z a-z 0-9: fixed, so that every recipient's text is as long
  linksPerTextMax: 10,
  linkTargetCharactersMax: 1_000,
  linkDays: 180, // after the message, that a short link leads on
  missingNamedMax: 100, // numbers that a refusal for missing values names
} as const;
