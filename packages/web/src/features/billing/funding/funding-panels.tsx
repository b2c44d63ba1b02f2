import { Checkbox, TextInput } from "@mantine/core";
import type { AutoTopUpAnswer, VirtualAccountView } from "@ewebal/contract";
import { fundingCalls } from "@ewebal/contract/calls";
import { parseUnitsText } from "@ewebal/contract/rules";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { useSession } from "../../../lib/session/session.ts";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { formatUnits } from "../../../lib/texts/format.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { ExternalLink } from "../../../ui/kit/links.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";

/** Units that arrive without a visit here: by transfer to an account number, and from a card that is charged again. */
export function FundingPanels() {
  const { userId } = useSession();
  const id = userId ?? "";
  return (
    <Columns shares="equal">
      <AccountPanel userId={id} />
      <AutoTopUpPanel userId={id} />
    </Columns>
  );
}

function useVirtualAccount(userId: string): UseQueryResult<VirtualAccountView> {
  return useQuery({
    queryKey: ["payments", "virtual-account", userId],
    queryFn: async ({ signal }) => (await call(fundingCalls.virtualAccount, { params: { userId }, signal })).data,
  });
}

/** The account number, once it is open: each part can be copied into the bank's app. */
function AccountPanel({ userId }: { userId: string }) {
  const { data, error } = useVirtualAccount(userId);
  const account = data?.account;
  return (
    <Panel title="Bank transfer">
      <Stack gap={16}>
        <p className="muted small">
          An account number that is yours alone. What you transfer to it becomes units within minutes, less the bank's
          fee.
        </p>
        {data?.isOffered === false && (
          <p className="small">Account numbers are not available. Buy units by card or bank deposit instead.</p>
        )}
        {data?.isOffered === true && account === null && <OpenForm userId={userId} />}
        <ReadFailure error={error} />
        {((data === undefined && error === null) || (account !== null && account !== undefined)) && (
          <DetailList
            rows={[
              { name: "Bank", value: account?.bank },
              { name: "Account name", value: account?.accountName },
              { name: "Account number", value: account?.accountNumber, isCopied: true },
            ]}
          />
        )}
        {typeof data?.sandboxUrl === "string" && (
          <p className="muted small">
            Sandbox: no bank is connected.{" "}
            <ExternalLink href={data.sandboxUrl}>Play a transfer to this account</ExternalLink>
          </p>
        )}
      </Stack>
    </Panel>
  );
}

function OpenForm({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: {},
    missing: () => [],
    send: async () => {
      await call(fundingCalls.openVirtualAccount, { params: { userId } });
      await queryClient.invalidateQueries({ queryKey: ["payments", "virtual-account", userId] });
    },
  });
  return (
    <Form form={form}>
      {form.refusal !== undefined && <Callout tone="error" title={explainFailure(form.refusal).title} isAnnounced />}
      <div data-least="owner">
        <SubmitButton missing={form.missing} isSending={form.isSending} variant="default">
          Get my account number
        </SubmitButton>
      </div>
    </Form>
  );
}

/** Says why a panel has nothing to show. */
function ReadFailure({ error }: { error: Error | null }) {
  return error === null ? null : <Callout tone="error" title={explainFailure(error).title} isAnnounced />;
}

function AutoTopUpPanel({ userId }: { userId: string }) {
  const { data, error } = useQuery({
    queryKey: ["payments", "auto-top-up", userId],
    queryFn: async ({ signal }) => (await call(fundingCalls.autoTopUp, { params: { userId }, signal })).data,
  });
  return (
    <Panel title="Auto top-up">
      <ReadFailure error={error} />
      <AutoTopUpForm key={data === undefined ? "to come" : "known"} userId={userId} stored={data} />
    </Panel>
  );
}

type AutoTopUpFormProps = {
  userId: string;
  /** Undefined while it is on its way. */
  stored: AutoTopUpAnswer | undefined;
};

const inText = (value: number | null | undefined): string => (typeof value === "number" ? String(value) : "");

function AutoTopUpForm({ userId, stored }: AutoTopUpFormProps) {
  const queryClient = useQueryClient();
  const [isOn, setOn] = useState(stored?.isOn ?? false);
  const card = stored?.card;
  const form = useForm({
    initial: {
      below: inText(stored?.below),
      units: inText(stored?.units),
      perDayMax: inText(stored?.perDayMax ?? 1),
    },
    missing: ({ below, units, perDayMax }) =>
      isOn
        ? [
            ...(below.trim() === "" ? ["an amount"] : []),
            ...(units.trim() === "" ? ["units to buy"] : []),
            ...(perDayMax.trim() === "" ? ["a limit"] : []),
          ]
        : [],
    send: async (values) => {
      const body: { isOn: boolean; below?: number; units?: number; perDayMax?: number } = { isOn };
      for (const name of ["below", "units", "perDayMax"] as const) {
        const read = parseUnitsText(values[name]);
        if (read.kind === "units") body[name] = read.units;
        else if (read.reason !== "empty") {
          form.setError(name, "must be a whole number");
          return;
        }
      }
      const { data: saved } = await call(fundingCalls.setAutoTopUp, { params: { userId }, body });
      queryClient.setQueryData(["payments", "auto-top-up", userId], saved);
      showNotice({
        title: saved.isOn
          ? `Your card is charged when fewer than ${formatUnits(saved.below ?? 0)} units are left`
          : "Your card is not charged automatically",
      });
    },
  });
  const isLocked = stored === undefined || (card === null && !stored.isOn);
  return (
    <Form form={form}>
      <p className="muted small">
        {card === null
          ? "Pay once by card. Then the same card can be charged when your units run low."
          : `Charges your card ${card === undefined ? "" : `${card.brand} ending in ${card.last4} (${card.expires})`} when your units run low, once each time.`}
      </p>
      {stored?.isStopped === true && (
        <Callout tone="warn" title="Your card was declined, so auto top-up is off">
          Pay once with a card that works, then turn it on again.
        </Callout>
      )}
      <Checkbox
        label="Charge my card automatically"
        checked={isOn}
        disabled={isLocked}
        onChange={({ currentTarget }) => setOn(currentTarget.checked)}
      />
      <TextInput
        label="When fewer units are left than"
        inputMode="numeric"
        disabled={isLocked}
        {...form.field("below")}
      />
      <TextInput label="Units to buy each time" inputMode="numeric" disabled={isLocked} {...form.field("units")} />
      <TextInput label="Charges a day at most" inputMode="numeric" disabled={isLocked} {...form.field("perDayMax")} />
      {form.refusal !== undefined && <Callout tone="error" title={explainFailure(form.refusal).title} isAnnounced />}
      <div data-least="owner">
        <SubmitButton
          missing={stored !== undefined && isLocked ? ["a payment by card"] : form.missing}
          isSending={form.isSending}
          variant="default"
        >
          Save auto top-up
        </SubmitButton>
      </div>
    </Form>
  );
}
