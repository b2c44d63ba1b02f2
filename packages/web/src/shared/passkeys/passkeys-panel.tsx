import { Skeleton } from "@mantine/core";
import { Panel } from "../../ui/layout/panel.tsx";
import { PopupContent } from "../../ui/dialogs/popup-content.tsx";

const waiting = (
  <Panel title="Passkeys">
    <Skeleton height={80} radius="md" />
  </Panel>
);

/** The passkeys of a customer or an administrator. Fetched apart: most of what is on a profile is looked at more often. */
export function PasskeysPanel({ id }: { id: string }) {
  return (
    <PopupContent name="passkeys" waiting={waiting} load={async () => (await import("./passkey-list.tsx")).PasskeyList}>
      {(PasskeyList) => <PasskeyList id={id} />}
    </PopupContent>
  );
}
