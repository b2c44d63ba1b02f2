/** What is fetched together behind the page: what is for texts that differ, and what is seen once there are numbers. */
export { MessageTools } from "./message-tools.tsx";
export { PersonalPreview } from "./personal-preview.tsx";
export { RecipientsSummaryView } from "../recipients/recipients-summary-view.tsx";
export { SendNotes } from "../options/send-notes.tsx";
export { SendOptions } from "../options/send-options.tsx";
