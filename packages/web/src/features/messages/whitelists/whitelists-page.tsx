import { Badge, TextInput } from "@mantine/core";
import type { WhitelistRequestAnswer } from "@ewebal/contract";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../../lib/session/session.ts";
import { whitelistsQuery } from "../message-queries.ts";
import { Form } from "../../../ui/forms/form.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page, PageOutline } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline, Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { ApprovedPanel } from "./approved-panel.tsx";
import { cleanAddress, useAddressForm, useSourceForm } from "./use-whitelist-forms.ts";

/** Requests for sender names and addresses, with their state. */
export function WhitelistsPage() {
  const { userId } = useSession();
  return (
    <Page title="Whitelists" intro="Whitelisting is approved by mail within about 24 hours.">
      {userId !== null && (
        <>
          <Tiles min={320} gap={16}>
            <SourcePanel userId={userId} />
            <AddressPanel userId={userId} />
          </Tiles>
          <RequestsPanel userId={userId} />
        </>
      )}
    </Page>
  );
}

function SourcePanel({ userId }: { userId: string }) {
  const form = useSourceForm(userId);
  return (
    <Panel title="Source (sender ID)">
      <Form form={form}>
        <TextInput
          label="Sender ID"
          description="5 to 11 characters, spaces count. Separate several with commas."
          placeholder="AdaStores"
          autoComplete="off"
          {...form.field("senderName")}
        />
        <Refusal screen="whitelist" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Request sender ID
        </SubmitButton>
      </Form>
    </Panel>
  );
}

function AddressPanel({ userId }: { userId: string }) {
  const form = useAddressForm(userId);
  return (
    <Panel title="IP address">
      <Form form={form}>
        <TextInput
          label="IP Address"
          description="Only for programs that send through the API."
          placeholder="102.89.23.104"
          inputMode="decimal"
          autoComplete="off"
          {...form.field("ip")}
          onChange={({ currentTarget }) => form.set("ip", cleanAddress(currentTarget.value))}
        />
        <Refusal screen="whitelist" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Request IP address
        </SubmitButton>
      </Form>
    </Panel>
  );
}

function RequestsPanel({ userId }: { userId: string }) {
  const query = useQuery(whitelistsQuery(userId));
  const requests = query.data?.requests ?? [];
  // Which panels there are is not known yet.
  if (query.isPending) return <PageOutline />;
  return (
    <>
      {query.data !== undefined && <ApprovedPanel userId={userId} whitelists={query.data} />}
      <Panel title="Requests">
        <ListStates
          query={query}
          rowCount={requests.length}
          empty={{
            title: "There are no requests yet",
            text: "Ask for the name that people see above your messages; your first send needs one.",
          }}
        >
          <Stack as="ul" divided={12}>
            {requests.map((request) => (
              <RequestRow key={request._id} request={request} />
            ))}
          </Stack>
        </ListStates>
      </Panel>
    </>
  );
}

const stateWords = {
  pending: { label: "Waiting for approval", color: "yellow" },
  approved: { label: "Approved", color: "green" },
  declined: { label: "Declined", color: "red" },
} as const;

function RequestRow({ request }: { request: WhitelistRequestAnswer }) {
  const { label, color } = stateWords[request.state];
  return (
    <Inline as="li" gap={8} across={16} wraps align="center" justify="between">
      <div className="shrinkable">
        <p className="strong">{request.senderName ?? request.ip}</p>
        <p className="muted small">
          {request.senderName === undefined ? "IP address" : "Sender ID"}, asked{" "}
          <RelativeTime iso={request.createdAt} />
          {request.reason !== undefined && request.reason !== "" && `. ${request.reason}`}
        </p>
      </div>
      <Badge color={color} variant="light">
        {label}
      </Badge>
    </Inline>
  );
}
