/** Fetched when the form is sent: with zod it is 23 kB, which the first paint does not wait for. */
export { helpRequestSchema } from "@ewebal/contract";
