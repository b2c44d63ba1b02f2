/** Whether this draws a document (`app/render-document.tsx`): nobody is known then, and there is no window. */
export const isOnServer = typeof document === "undefined";
