import { Badge, Button, TextInput } from "@mantine/core";
import type { DailyLimitAnswer } from "@ewebal/contract";
import { dailyLimitCalls } from "@ewebal/contract/calls";
import { nameCode } from "@ewebal/contract/rules";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { CountrySelect } from "../../../shared/rates/country-select.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { nameCountry } from "../country-name.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Tiles } from "../../../ui/layout/boxes.tsx";

/** As many digits as the contract's largest limit has. */
const RECIPIENTS_DIGITS_MAX = 10;
const CALLS_DIGITS_MAX = 5;
const FIRST_CODE = "234";

export const limitsKey = (userId: string): readonly string[] => ["admin", "daily-limits", userId];

/** What a customer may send: recipients a day, calls a second, and whether transactional messages. */
export function useLimits(userId: string) {
  return useQuery({
    queryKey: limitsKey(userId),
    queryFn: async ({ signal }) => (await call(dailyLimitCalls.dailyLimits, { params: { userId }, signal })).data,
  });
}

/** The daily limits of a customer by country, and how many recipients they sent to today. */
export function DailyLimitsPanel({ userId }: { userId: string }) {
  const [isSetting, setSetting] = useState(false);
  const query = useLimits(userId);
  const { setLimit, adminId } = useSetLimit(userId);
  const toggle = (
    <Button variant="default" size="xs" onClick={() => setSetting(!isSetting)}>
      {isSetting ? "Cancel" : "Set a limit"}
    </Button>
  );
  const everybody = query.data === undefined ? "" : formatCount(query.data.recipientsMax);
  return (
    <Panel title="Daily limits" aside={toggle}>
      {isSetting && adminId !== null && <LimitForm onSend={setLimit} onDone={() => setSetting(false)} />}
      <ListStates
        query={query}
        rowCount={query.data?.limits.length ?? 0}
        empty={{
          title: "Nothing was sent today",
          text: `This user can send to ${everybody} recipients in each country in a day, as all users can.`,
        }}
      >
        <DataTable
          caption="Daily limits"
          columns={columnsFor(setLimit)}
          rows={query.data?.limits ?? []}
          rowKey={({ code }) => code}
        />
        <p className="above-12 muted">
          All other countries: {everybody} recipients a day (Lagos time), as for every user.
        </p>
      </ListStates>
      {query.data !== undefined && adminId !== null && (
        <div className="above-24">
          <CallLimit
            key={query.data.callsPerSecond}
            userId={userId}
            adminId={adminId}
            perSecond={query.data.callsPerSecond}
          />
        </div>
      )}
    </Panel>
  );
}

/** The calls a second that each API key may make. */
function CallLimit({ userId, adminId, perSecond }: { userId: string; adminId: string; perSecond: number }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { perSecond: String(perSecond) },
    missing: (values) => (values.perSecond === "" || values.perSecond === String(perSecond) ? ["another number"] : []),
    send: async (values) => {
      const { message } = await call(dailyLimitCalls.setCallLimit, {
        params: { adminId },
        body: { userId, perSecond: Number(values.perSecond) },
      });
      showNotice({ title: message });
      await queryClient.invalidateQueries({ queryKey: limitsKey(userId) });
    },
  });
  return (
    <Form form={form}>
      <TextInput
        label="API calls a second"
        description="For each API key, from 1 to 10,000."
        inputMode="numeric"
        autoComplete="off"
        {...form.field("perSecond")}
        onChange={({ currentTarget }) =>
          form.set("perSecond", currentTarget.value.replaceAll(/[^0-9]/g, "").slice(0, CALLS_DIGITS_MAX))
        }
      />
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save calls a second
      </SubmitButton>
    </Form>
  );
}

type SetLimit = (code: string, recipientsMax: number | null) => Promise<void>;

function columnsFor(setLimit: SetLimit): Column<DailyLimitAnswer>[] {
  return [
    { title: "Country", isHeading: true, cell: ({ code }) => nameCountry(nameCode(code).join(", "), code) },
    { title: "Sent today", isNumeric: true, cell: ({ usedToday }) => formatCount(usedToday) },
    { title: "Limit", isNumeric: true, cell: ({ recipientsMax }) => formatCount(recipientsMax) },
    {
      title: "Applies to",
      cell: ({ isOwn }) => (
        <Badge color={isOwn ? "blue" : "gray"} variant="light">
          {isOwn ? "This user" : "All users"}
        </Badge>
      ),
    },
    {
      title: "Change",
      isActions: true,
      cell: ({ code, isOwn }) =>
        isOwn && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Use the limit of all users for +${code}`}
            onClick={() => void setLimit(code, null).catch(showFailure)}
          >
            Use the limit of all users
          </Button>
        ),
    },
  ];
}

function showFailure(error: unknown): void {
  showNotice({
    tone: "error",
    title: "Unable to change the daily limit",
    text: error instanceof Error ? error.message : "",
  });
}

function useSetLimit(userId: string): { setLimit: SetLimit; adminId: string | null } {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  const setLimit: SetLimit = async (code, recipientsMax) => {
    const { message } = await call(dailyLimitCalls.setDailyLimit, {
      params: { adminId: adminId ?? "" },
      body: { userId, code, recipientsMax },
    });
    showNotice({ title: message });
    await queryClient.invalidateQueries({ queryKey: limitsKey(userId) });
  };
  return { setLimit, adminId };
}

function LimitForm({ onSend, onDone }: { onSend: SetLimit; onDone: () => void }) {
  const form = useForm({
    initial: { code: FIRST_CODE, recipientsMax: "" },
    missing: ({ recipientsMax }) => (recipientsMax === "" ? ["recipients a day"] : []),
    send: async ({ code, recipientsMax }) => {
      await onSend(code, Number(recipientsMax));
      onDone();
    },
  });
  return (
    <Form form={form}>
      <Tiles min={240} gap={16} align="start">
        <CountrySelect code={form.values.code} onCode={(code) => form.set("code", code)} />
        <TextInput
          label="Recipients a day"
          inputMode="numeric"
          autoComplete="off"
          {...form.field("recipientsMax")}
          onChange={({ currentTarget }) =>
            form.set("recipientsMax", currentTarget.value.replaceAll(/[^0-9]/g, "").slice(0, RECIPIENTS_DIGITS_MAX))
          }
        />
      </Tiles>
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save the limit
      </SubmitButton>
    </Form>
  );
}
