import { twoFactorCalls } from "@ewebal/contract/calls";
import { Badge, Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../lib/api/api.ts";
import { formatCounted } from "../../lib/texts/format.ts";
import { Callout } from "../../ui/kit/callout.tsx";
import { CodeField } from "./code-step.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { PasswordField } from "../../ui/forms/fields.tsx";
import { Form, useForm } from "../../ui/forms/form.tsx";
import { FailedState } from "../../ui/lists/list-states.tsx";
import { showNotice } from "../../ui/feedback/notices.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { PopupContent } from "../../ui/dialogs/popup-content.tsx";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";
import { Stack } from "../../ui/layout/boxes.tsx";
import classes from "./two-factor.module.css";

/** With so few left it is time for new ones. */
const FEW_CODES = 3;

/**
 * Two-factor sign-in of a customer or an administrator: whether it is on, setting it up, turning it off.
 *
 * @param isDuty nothing else is open until it is on.
 */
export function TwoFactorPanel({ id, isDuty = false }: { id: string; isDuty?: boolean }) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["two-factor", id],
    queryFn: async ({ signal }) => (await call(twoFactorCalls.twoFactor, { params: { id }, signal })).data,
  });
  const [isRemoving, setRemoving] = useState(false);
  const setUp = useMutation({
    mutationFn: async () => (await call(twoFactorCalls.startTwoFactor, { params: { id } })).data,
    onError: (refusal) => showNotice({ tone: "error", title: refusal.message }),
  });
  const finish = (): void => {
    setUp.reset();
    // What was closed until now opens with it.
    void queryClient.invalidateQueries(isDuty ? {} : { queryKey: ["two-factor", id] });
  };
  if (data === undefined) return error === null ? null : <FailedState error={error} onRetry={() => void refetch()} />;
  const badge = (
    <Badge color={data.isOn ? "green" : "gray"} variant="light">
      {data.isOn ? "On" : "Off"}
    </Badge>
  );
  return (
    <Panel title="Two-factor sign-in" aside={badge} isNarrow>
      <Stack gap={16} align="start" className={classes.stack}>
        {isDuty && !data.isOn && (
          <Callout tone="warn" title="Set up two-factor sign-in to continue">
            Administrators must use it. You can open the other pages once it is on.
          </Callout>
        )}
        {data.isOn ? (
          <State left={data.recoveryCodesLeft} />
        ) : (
          <p>
            Signing in then needs your password and a code from an authenticator app on your phone. A stolen password
            alone is no use.
          </p>
        )}
        {data.isOn ? (
          <Button variant="default" onClick={() => setRemoving(true)}>
            Turn off
          </Button>
        ) : (
          <Button loading={setUp.isPending} onClick={() => setUp.mutate()}>
            Set up
          </Button>
        )}
      </Stack>
      <Dialog opened={setUp.data !== undefined} onClose={finish} title="Set up two-factor sign-in">
        {setUp.data !== undefined && (
          <PopupContent
            name="two-factor-set-up"
            load={async () => (await import("./two-factor-set-up.tsx")).TwoFactorSetUp}
          >
            {(SetUp) => <SetUp id={id} enrolment={setUp.data} onDone={finish} />}
          </PopupContent>
        )}
      </Dialog>
      <Dialog opened={isRemoving} onClose={() => setRemoving(false)} title="Turn two-factor sign-in off">
        <RemoveForm id={id} onDone={() => (setRemoving(false), finish())} />
      </Dialog>
    </Panel>
  );
}

function State({ left }: { left: number }) {
  return (
    <>
      <p>
        Signing in needs your password and a code from your authenticator app. API keys, passwords and credit need a
        code, too.
      </p>
      {left <= FEW_CODES && (
        <Callout
          tone="warn"
          title={
            left === 0
              ? "You have no recovery codes left"
              : `You have only ${formatCounted(left, "recovery code")} left`
          }
        >
          To get new ones, turn two-factor sign-in off and set it up again.
        </Callout>
      )}
      {left > FEW_CODES && <p>{formatCounted(left, "recovery code")} left.</p>}
    </>
  );
}

function RemoveForm({ id, onDone }: { id: string; onDone: () => void }) {
  const form = useForm({
    initial: { password: "", code: "" },
    missing: ({ password, code }) =>
      [password === "" && "password", code.trim() === "" && "code"].filter((name) => name !== false),
    send: async ({ password, code }) => {
      const { message } = await call(twoFactorCalls.removeTwoFactor, {
        params: { id },
        body: { password, code: code.trim() },
      });
      showNotice({ title: message });
      onDone();
    },
  });
  return (
    <Form form={form}>
      <p>You will sign in with your password alone, and your recovery codes will stop working.</p>
      <PasswordField label="Password" autoComplete="current-password" {...form.field("password")} />
      <CodeField {...form.field("code")} />
      {form.refusal instanceof Error && <Callout tone="error" title={form.refusal.message} isAnnounced />}
      <SubmitButton color="red" missing={form.missing} isSending={form.isSending}>
        Turn off
      </SubmitButton>
    </Form>
  );
}
