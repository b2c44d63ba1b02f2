import { allPaths, type PagePath } from "@ewebal/contract/pages";

/** Every address that links lead to, by name; `app/router.test.tsx` checks that each one is a page. */
export const paths = {
  ...allPaths,

  /** The menu's form of the address, which names no message. */
  sendSms: "/user-dashboard/ewebal/send-sms",

  /** The API reference; the server draws it. */
  apiReference: "/docs",

  /** The folder where mails are kept when no mail server is set; the server draws it. */
  mailbox: "/mailbox",
} as const;

/** The names of an address's parameters, such as `userId`. */
type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** @returns the address of one page, with its ids in place of its parameters. */
export function pathTo<Path extends PagePath>(path: Path, ids: Readonly<Record<ParameterOf<Path>, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: ParameterOf<Path>) => ids[name]);
}
