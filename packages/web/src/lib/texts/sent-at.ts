/**
 * When a message went out. `createdAt` of a scheduled one is when it was written, which may be months before.
 *
 * @returns ISO 8601.
 */
export function sentAt({ sendAt, createdAt }: { sendAt?: string | undefined; createdAt: string }): string {
  return sendAt ?? createdAt;
}
