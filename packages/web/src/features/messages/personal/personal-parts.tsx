/** What is fetched together behind the page. */
export { MessageTools } from "./message-tools.tsx";
export { PersonalPreview } from "./personal-preview.tsx";
export { SendNotes } from "../options/send-notes.tsx";
export { SendOptions } from "../options/send-options.tsx";
