import { Button } from "@mantine/core";
import type { CarrierAnswer } from "@ewebal/contract";
import { useState } from "react";
import { useSession } from "../../../lib/session/session.ts";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { CarrierCard } from "./carrier-card.tsx";
import { CarrierDialog } from "./carrier-dialog.tsx";
import { useCarrierActs, useCarriers } from "./use-carriers.ts";

/** The carriers with their health now, and the actions on them. */
export function CarriersPage() {
  const { adminId } = useSession();
  const query = useCarriers();
  const carriers = query.data ?? [];
  const acts = useCarrierActs(carriers.length === 1);
  const [edited, setEdited] = useState<{ carrier: CarrierAnswer | undefined }>();
  return (
    <Page
      title="Carriers"
      intro="A message goes to the carrier with the longest matching prefix, then to the lowest priority. Carriers that tie share the messages by weight. Changes take effect within seconds."
      actions={<Button onClick={() => setEdited({ carrier: undefined })}>Add carrier</Button>}
    >
      <ListStates query={query} rowCount={carriers.length} empty={{ title: "There are no carriers" }} skeletonRows={3}>
        <Stack as="ul" gap={16} aria-label="Carriers">
          {carriers.map((carrier) => (
            <li key={carrier.name}>
              <CarrierCard carrier={carrier} acts={acts} onEdit={() => setEdited({ carrier })} />
            </li>
          ))}
        </Stack>
      </ListStates>
      {adminId !== null && <CarrierDialog adminId={adminId} edited={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}
