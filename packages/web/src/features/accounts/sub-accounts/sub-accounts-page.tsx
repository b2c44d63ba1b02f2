import { TextInput } from "@mantine/core";
import type { SubAccountAnswer } from "@ewebal/contract";
import { subAccountCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { IdempotencyKey } from "../../../lib/api/idempotency-key.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatUnits } from "../../../lib/texts/format.ts";
import { useOwnRole } from "../../../shared/account/own-role.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { PhoneField } from "../../../ui/forms/fields.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

/** Accounts that this one made for others, and the units that move between them. */
export function SubAccountsPage() {
  const { userId } = useSession();
  const isOwner = useOwnRole() === "owner";
  return (
    <Page
      title="Sub-accounts"
      intro="Accounts for branches or customers of yours. Each has its own sign-in, contacts and history, and spends the units that you give it."
    >
      {userId !== null && <Panels userId={userId} isOwner={isOwner} />}
    </Page>
  );
}

function Panels({ userId, isOwner }: { userId: string; isOwner: boolean }) {
  const list = useCursorList<SubAccountAnswer>({
    queryKey: ["sub-accounts", userId],
    read: async (after, signal) =>
      await call(subAccountCalls.subAccounts, {
        params: { userId },
        query: after === undefined ? {} : { after },
        signal,
      }),
  });
  return (
    <>
      <Panel title="All sub-accounts">
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={{ title: "There are no sub-accounts", text: "Accounts that you make appear here with their units." }}
        >
          <DataTable caption="Sub-accounts" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
      {isOwner && list.rows.length > 0 && <MovePanel userId={userId} rows={list.rows} />}
      {isOwner && <MakePanel userId={userId} />}
    </>
  );
}

const columns: Column<SubAccountAnswer>[] = [
  {
    title: "Account",
    isHeading: true,
    width: "40%",
    cell: ({ fullName, email, blocked }) => (
      <>
        {fullName}
        {blocked && " (blocked)"}
        <p className="muted small anywhere">{email}</p>
      </>
    ),
  },
  { title: "Units", isNumeric: true, width: "20%", cell: ({ units }) => formatUnits(units) },
  {
    title: "A day at most",
    isNumeric: true,
    width: "20%",
    cell: ({ capUnitsPerDay }) => (capUnitsPerDay === null ? "No limit" : formatUnits(capUnitsPerDay)),
  },
  { title: "Used today", isNumeric: true, cell: ({ usedToday }) => formatUnits(usedToday) },
];

function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: ["sub-accounts"] });
    await queryClient.invalidateQueries({ queryKey: ["user"] });
  };
}

const MOVES = { give: "Give units", take: "Take units back" } as const;

function MovePanel({ userId, rows }: { userId: string; rows: readonly SubAccountAnswer[] }) {
  const refresh = useRefresh();
  const [key] = useState(() => new IdempotencyKey());
  const form = useForm<{ subId: string; move: string; units: string }>({
    initial: { subId: rows[0]?._id ?? "", move: "give", units: "" },
    missing: ({ units }) => (/^[1-9][0-9]*$/.test(units.trim()) ? [] : ["a whole number of units"]),
    send: async ({ subId, move, units }) => {
      const body = { units: Number(units) * (move === "take" ? -1 : 1) };
      const { message } = await call(subAccountCalls.moveUnits, {
        params: { userId, subId },
        body,
        headers: { "idempotency-key": key.keyFor({ subId, ...body }) },
      });
      key.renew();
      showNotice({ title: message });
      form.set("units", "");
      await refresh();
    },
  });
  return (
    <Panel title="Move units" isNarrow>
      <Form form={form}>
        <NativeSelect
          label="Sub-account"
          name="subId"
          value={form.values.subId}
          onValue={(subId) => form.set("subId", subId)}
        >
          {rows.map(({ _id, fullName, email }) => (
            <option key={_id} value={_id}>
              {fullName}, {email}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect label="Move" name="move" value={form.values.move} onValue={(move) => form.set("move", move)}>
          {Object.entries(MOVES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
        <TextInput label="Units" inputMode="numeric" autoComplete="off" {...form.field("units")} />
        <Refusal screen="service" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Move units
        </SubmitButton>
      </Form>
    </Panel>
  );
}

function MakePanel({ userId }: { userId: string }) {
  const refresh = useRefresh();
  const empty = { fullName: "", userName: "", email: "", phoneNo: "", capUnitsPerDay: "" };
  const form = useForm<typeof empty>({
    initial: empty,
    missing: (values) =>
      [
        values.fullName.trim() === "" && "full name",
        values.userName.trim() === "" && "user name",
        values.email.trim() === "" && "email",
        values.phoneNo.trim() === "" && "phone number",
        !/^([1-9][0-9]*)?$/.test(values.capUnitsPerDay.trim()) && "a whole number of units",
      ].filter((name) => name !== false),
    send: async ({ capUnitsPerDay, ...facts }) => {
      const cap = capUnitsPerDay.trim() === "" ? null : Number(capUnitsPerDay);
      const { message } = await call(subAccountCalls.makeSubAccount, {
        params: { userId },
        body: { ...facts, capUnitsPerDay: cap },
      });
      showNotice({ title: message });
      for (const name of Object.keys(empty) as (keyof typeof empty)[]) form.set(name, "");
      await refresh();
    },
  });
  return (
    <Panel title="Make a sub-account" isNarrow>
      <Form form={form}>
        <TextInput label="Full Name" autoComplete="off" {...form.field("fullName")} />
        <TextInput label="User Name" autoComplete="off" {...form.field("userName")} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="off"
          description="They get a mail with a link to choose a password."
          {...form.field("email")}
        />
        <PhoneField label="Tel" {...form.field("phoneNo")} onValue={(digits) => form.set("phoneNo", digits)} />
        <TextInput
          label="Units a day at most"
          inputMode="numeric"
          autoComplete="off"
          description="Leave it empty for no limit."
          {...form.field("capUnitsPerDay")}
        />
        <Refusal screen="service" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Make the account
        </SubmitButton>
      </Form>
    </Panel>
  );
}
