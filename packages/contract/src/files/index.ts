/** `@ewebal/contract/files`: the kinds of contact files beside CSV, read alike by the server and by a worker of the browser. */
export * from "./vcard-cells.ts";
export * from "./workbook-cells.ts";
