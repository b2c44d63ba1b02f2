import type { NewPasskey, PasskeyAnswer } from "@ewebal/contract";
import { passkeyCalls } from "@ewebal/contract/calls";
import { Badge, Button, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../lib/api/api.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../ui/feedback/notices.tsx";
import { PasswordField } from "../../ui/forms/fields.tsx";
import { Form, useForm } from "../../ui/forms/form.tsx";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";
import { Callout } from "../../ui/kit/callout.tsx";
import { RelativeTime } from "../../ui/kit/relative-time.tsx";
import { Stack } from "../../ui/layout/boxes.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { ListStates } from "../../ui/lists/list-states.tsx";
import { makePasskey } from "./device.ts";

/** A person's passkeys: which there are, adding one, removing one. */
export function PasskeyList({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ["passkeys", id],
    queryFn: async ({ signal }) => (await call(passkeyCalls.passkeys, { params: { id }, signal })).data,
  });
  const [open, setOpen] = useState<"add" | PasskeyAnswer>();
  const rows = query.data ?? [];
  const columns: Column<PasskeyAnswer>[] = [
    {
      title: "Name",
      isHeading: true,
      cell: ({ name, isBackedUp }) => (
        <>
          {name}{" "}
          {isBackedUp && (
            <Badge color="gray" variant="light">
              Synced
            </Badge>
          )}
        </>
      ),
    },
    { title: "Added", cell: ({ createdAt }) => <RelativeTime iso={createdAt} /> },
    {
      title: "Last used",
      cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? "Never" : <RelativeTime iso={lastUsedAt} />),
    },
    {
      title: "Remove the passkey",
      isActions: true,
      cell: (passkey) => (
        <Button size="xs" variant="default" aria-label={`Remove: ${passkey.name}`} onClick={() => setOpen(passkey)}>
          Remove
        </Button>
      ),
    },
  ];
  const add = (
    <Button size="xs" variant="default" onClick={() => setOpen("add")}>
      Add a passkey
    </Button>
  );
  const close = (): void => setOpen(undefined);
  const finish = (message: string): void => {
    close();
    showNotice({ title: message });
    void queryClient.invalidateQueries({ queryKey: ["passkeys", id] });
  };
  return (
    <Panel title="Passkeys" aside={add}>
      <ListStates
        query={query}
        rowCount={rows.length}
        empty={{
          title: "You have no passkeys",
          text: "With a passkey you sign in with your fingerprint, your face or the PIN of your device. You need no password and no code.",
        }}
        skeletonRows={1}
      >
        <DataTable caption="Passkeys" columns={columns} rows={rows} rowKey={({ _id }) => _id} />
      </ListStates>
      <Dialog opened={open === "add"} onClose={close} title="Add a passkey" size="sm">
        <AddForm id={id} onDone={finish} />
      </Dialog>
      <Dialog opened={open !== undefined && open !== "add"} onClose={close} title="Remove this passkey?" size="sm">
        {open !== undefined && open !== "add" && <RemoveForm id={id} passkey={open} onDone={finish} />}
      </Dialog>
    </Panel>
  );
}

type FormProps = { id: string; onDone: (message: string) => void };

function AddForm({ id, onDone }: FormProps) {
  const form = useForm({
    initial: { password: "", name: "" },
    missing: ({ password }) => (password === "" ? ["password"] : []),
    send: async ({ password, name }) => {
      const { data: options } = await call(passkeyCalls.startPasskey, { params: { id }, body: { password } });
      const credential = await makePasskey<NewPasskey>(options);
      const { message } = await call(passkeyCalls.finishPasskey, {
        params: { id },
        body: { credential, ...(name.trim() !== "" && { name: name.trim() }) },
      });
      onDone(message);
    },
  });
  return (
    <Form form={form}>
      <p>
        After your password, your browser asks where to keep the passkey: on this device, a phone or a security key.
      </p>
      <PasswordField label="Password" autoComplete="current-password" {...form.field("password")} />
      <TextInput
        label="Name"
        description="How you will recognise it. Leave it empty to name it after this browser"
        autoComplete="off"
        maxLength={50}
        {...form.field("name")}
      />
      {form.refusal instanceof Error && <Callout tone="error" title={form.refusal.message} isAnnounced />}
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Continue
      </SubmitButton>
    </Form>
  );
}

function RemoveForm({ id, passkey, onDone }: FormProps & { passkey: PasskeyAnswer }) {
  const form = useForm({
    initial: { password: "" },
    missing: ({ password }) => (password === "" ? ["password"] : []),
    send: async (body) => {
      const { message } = await call(passkeyCalls.removePasskey, { params: { id, passkeyId: passkey._id }, body });
      onDone(message);
    },
  });
  return (
    <Form form={form}>
      <Stack gap={8}>
        <p className="strong">{passkey.name}</p>
        <p>It will not open your account any more. Delete it on your device, too, so that it is not offered again.</p>
      </Stack>
      <PasswordField label="Password" autoComplete="current-password" {...form.field("password")} />
      {form.refusal instanceof Error && <Callout tone="error" title={form.refusal.message} isAnnounced />}
      <SubmitButton color="red" missing={form.missing} isSending={form.isSending}>
        Remove
      </SubmitButton>
    </Form>
  );
}
