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
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";
import { ApprovedPanel } from "./approved-panel.tsx";
import { cleanAddress, useAddressForm, useSourceForm } from "./use-whitelist-forms.ts";

/** Requests for sender names and addresses, with their state. */
export function WhitelistsPage() {
  const { userId } = useSession();
  return (
    <Page title="Whitelists" intro="We review each request within about 24 hours and e-mail you the decision.">
      {userId !== null && (
        <>
          <Columns shares="3 to 2">
            <SourcePanel userId={userId} />
            <AdvicePanel />
          </Columns>
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
          description="5 to 11 characters, including spaces. To request several names, use commas."
          placeholder="AdaStores"
          autoComplete="off"
          {...form.field("senderName")}
        />
        <Refusal screen="whitelist" error={form.refusal} />
        <div data-least="owner">
          <SubmitButton missing={form.missing} isSending={form.isSending}>
            Request sender ID
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}

/** What gets a name approved, and read. */
function AdvicePanel() {
  return (
    <Panel title="A good sender name">
      <Stack as="ul" gap={8} className="muted">
        <li>Is the name your customers know: your shop, school or company.</li>
        <li>Is short and readable: AdaStores says more than ADSTR01.</li>
        <li>Belongs to you: names of banks, networks and public bodies need proof.</li>
      </Stack>
    </Panel>
  );
}

/** Last on the page: only who sends by a program needs it. */
function AddressPanel({ userId }: { userId: string }) {
  const form = useAddressForm(userId);
  return (
    <Panel title="IP address" isNarrow>
      <p className="below-16 muted">
        Only the GET call, which has your password in its address, needs approved addresses. API keys and the dashboard
        work without.
      </p>
      <Form form={form}>
        <TextInput
          label="IP Address"
          description="The address of the server that your program runs on"
          placeholder="102.89.23.104"
          inputMode="decimal"
          autoComplete="off"
          {...form.field("ip")}
          onChange={({ currentTarget }) => form.set("ip", cleanAddress(currentTarget.value))}
        />
        <Refusal screen="whitelist" error={form.refusal} />
        <div data-least="owner">
          <SubmitButton missing={form.missing} isSending={form.isSending}>
            Request IP address
          </SubmitButton>
        </div>
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
            text: "Request the name that people see above your messages. You need one before your first send.",
          }}
        >
          <Stack as="ul" divided={12}>
            {requests.map((request) => (
              <RequestRow key={request._id} request={request} />
            ))}
          </Stack>
        </ListStates>
      </Panel>
      <AddressPanel userId={userId} />
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
