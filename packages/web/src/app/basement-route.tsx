import { BasementPage } from "../features/accounts/dashboard/basement-page.tsx";
import { SendingPanels } from "../features/messages/dashboard/sending-panels.tsx";

/** The summary of an account, with how its messages do. */
export function BasementRoute() {
  return <BasementPage sending={<SendingPanels />} />;
}
