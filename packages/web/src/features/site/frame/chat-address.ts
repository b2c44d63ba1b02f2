/** The configuration holds either a whole address or the number of the messaging app. */
export function toChatAddress(chat: string): string {
  return chat.startsWith("https://") ? chat : `https://wa.me/${chat.replaceAll(/[^0-9]/g, "")}`;
}
