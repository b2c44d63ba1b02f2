import { TextInput } from "@mantine/core";
import { resultCalls } from "@ewebal/contract/calls";
import { parseUnitsText } from "@ewebal/contract/rules";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { formatUnits } from "../../../lib/texts/format.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";

/** Sets below how many units the customer is told. Its box is there before the amount is known. */
export function BalanceAlertPanel({ userId }: { userId: string }) {
  const { data } = useQuery({
    queryKey: ["notifications", userId],
    queryFn: async ({ signal }) => (await call(resultCalls.notifications, { params: { userId }, signal })).data,
  });
  return (
    <Panel title="Low balance" isNarrow>
      <AlertForm key={data === undefined ? "to come" : "known"} userId={userId} below={data?.balanceBelow} />
    </Panel>
  );
}

type AlertFormProps = {
  userId: string;
  /** Null for never; undefined while it is on its way. */
  below: number | null | undefined;
};

function AlertForm({ userId, below }: AlertFormProps) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { balanceBelow: typeof below === "number" ? String(below) : "" },
    missing: () => [],
    send: async ({ balanceBelow }) => {
      const read = parseUnitsText(balanceBelow);
      if (read.kind === "wrong" && read.reason !== "empty") {
        form.setError("balanceBelow", "must be whole units");
        return;
      }
      const body = { balanceBelow: read.kind === "units" ? read.units : null };
      const { data: saved } = await call(resultCalls.setNotifications, { params: { userId }, body });
      queryClient.setQueryData(["notifications", userId], saved);
      showNotice({
        title:
          saved.balanceBelow === null
            ? "You are not told of a low balance"
            : `You are told when fewer than ${formatUnits(saved.balanceBelow)} units are left`,
      });
    },
  });
  return (
    <Form form={form}>
      <TextInput
        label="Tell me below (units)"
        description="By mail, and by the event balance.low to your webhooks, once each time. Empty for never."
        inputMode="numeric"
        disabled={below === undefined}
        {...form.field("balanceBelow")}
      />
      {form.refusal !== undefined && <Callout tone="error" title={explainFailure(form.refusal).title} isAnnounced />}
      <div data-least="owner">
        <SubmitButton missing={form.missing} isSending={form.isSending} variant="default">
          Save
        </SubmitButton>
      </div>
    </Form>
  );
}
