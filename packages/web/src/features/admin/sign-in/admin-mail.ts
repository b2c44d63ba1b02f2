/** Which mail the page /otp-message speaks of. It travels in the history, so it survives a reload and no stranger reads it in the address. */
export type AdminMail = { kind: "otp" | "verification" };

declare module "@tanstack/react-router" {
  // Merging with the library's own needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface HistoryState {
    adminMail?: AdminMail;
  }
}
