import { Badge, Button, TextInput } from "@mantine/core";
import type { CustomerPriceAnswer, CustomerPriceState } from "@ewebal/contract";
import { priceCalls } from "@ewebal/contract/calls";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { formatCount, formatDateTime, formatRate } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { CountrySelect } from "../../../shared/rates/country-select.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { nameCountry } from "../country-name.ts";
import { cleanRate, findMissingForRate, readClass, readFrom, readRate } from "../rate-form.ts";

const FIRST_CODE = "234";

const stateColors: Readonly<Record<CustomerPriceState, string>> = { planned: "blue", current: "green", past: "gray" };
const stateWords: Readonly<Record<CustomerPriceState, string>> = {
  planned: "Planned",
  current: "Current",
  past: "Past",
};

type PriceChange = { code: string; rate: number | null; class: string; from: string | undefined };
type SetPrice = (change: PriceChange) => Promise<void>;

/** What this customer pays in place of the list's rates, and the tier that the others are discounted by. */
export function CustomerPricesPanel({ userId }: { userId: string }) {
  const [isSetting, setSetting] = useState(false);
  const query = useQuery({
    queryKey: ["rates", "prices", userId],
    queryFn: async ({ signal }) => (await call(priceCalls.viewCustomerPrices, { params: { userId }, signal })).data,
  });
  const setPrice = useSetPrice(userId);
  const toggle = (
    <Button variant="default" size="xs" onClick={() => setSetting(!isSetting)}>
      {isSetting ? "Cancel" : "Set a price"}
    </Button>
  );
  return (
    <Panel title="Prices" aside={toggle}>
      <Stack gap={24}>
        {isSetting && <PriceForm onSend={setPrice} onDone={() => setSetting(false)} />}
        <ListStates
          query={query}
          rowCount={query.data?.prices.length ?? 0}
          empty={{ title: "No price is set for this customer", text: tierInWords(query.data) }}
        >
          <DataTable
            caption="Prices"
            columns={columnsFor(setPrice)}
            rows={query.data?.prices ?? []}
            rowKey={({ _id }) => _id}
          />
          <p className="above-12 muted">{tierInWords(query.data)}</p>
        </ListStates>
      </Stack>
    </Panel>
  );
}

type Prices = { prices: readonly unknown[]; discountPercent: number; unitsPerMonth: number };

function tierInWords(data: Prices | undefined): string {
  if (data === undefined) return "";
  const { prices, discountPercent, unitsPerMonth } = data;
  const countries = prices.length === 0 ? "Every country costs" : "Every other country costs";
  const discount = discountPercent === 0 ? "" : ` less ${discountPercent} %`;
  return `${countries} the list's rate${discount}. Most units in a month, last or this: ${formatCount(Math.floor(unitsPerMonth))}.`;
}

function columnsFor(setPrice: SetPrice): Column<CustomerPriceAnswer>[] {
  return [
    { title: "Country", isHeading: true, cell: ({ country, code }) => nameCountry(country, code) },
    {
      title: "Price",
      isNumeric: true,
      cell: ({ rate, class: messageClass }) =>
        `${rate === null ? "Rate of the list" : formatRate(rate)}${messageClass === undefined ? "" : ` (${messageClass})`}`,
    },
    { title: "From", cell: ({ from }) => formatDateTime(from) },
    {
      title: "State",
      cell: ({ state }) => (
        <Badge color={stateColors[state]} variant="light">
          {stateWords[state]}
        </Badge>
      ),
    },
    {
      title: "Change",
      isActions: true,
      cell: ({ state, rate, code, class: messageClass }) =>
        state === "current" &&
        rate !== null && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Use the rate of the list for +${code}`}
            onClick={() =>
              void setPrice({ code, rate: null, class: messageClass ?? "both", from: undefined }).catch(
                (error: unknown) => showNotice(explainError("service", error)),
              )
            }
          >
            Use the list
          </Button>
        ),
    },
  ];
}

function useSetPrice(userId: string): SetPrice {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  return async ({ code, rate, class: chosen, from }) => {
    const messageClass = readClass(chosen);
    const { message } = await call(priceCalls.setCustomerPrice, {
      params: { adminId: adminId ?? "" },
      body: {
        userId,
        code,
        rate,
        ...(messageClass !== undefined && { class: messageClass }),
        ...(from !== undefined && { from }),
      },
    });
    showNotice({ title: message });
    await queryClient.invalidateQueries({ queryKey: ["rates"] });
  };
}

function PriceForm({ onSend, onDone }: { onSend: SetPrice; onDone: () => void }) {
  const form = useForm({
    initial: { code: FIRST_CODE, rate: "", for: "both", when: "now", from: "", time: "00:00" },
    missing: (values) => findMissingForRate(values),
    send: async (values) => {
      const rate = readRate(values.rate) ?? null;
      await onSend({ code: values.code, rate, class: values.for, from: readFrom(values) });
      onDone();
    },
  });
  return (
    <Form form={form}>
      <Tiles min={240} gap={16} align="start">
        <CountrySelect code={form.values.code} onCode={(code) => form.set("code", code)} />
        <TextInput
          label="Naira for one page"
          inputMode="decimal"
          autoComplete="off"
          {...form.field("rate")}
          onChange={({ currentTarget }) => form.set("rate", cleanRate(currentTarget.value))}
        />
        <NativeSelect label="For" name="for" value={form.values.for} onValue={(next) => form.set("for", next)}>
          <option value="both">All messages</option>
          <option value="promotional">Promotional messages only</option>
          <option value="transactional">Transactional messages only</option>
        </NativeSelect>
        <NativeSelect label="Starts" name="when" value={form.values.when} onValue={(when) => form.set("when", when)}>
          <option value="now">At once</option>
          <option value="later">At a set time</option>
        </NativeSelect>
        {form.values.when === "later" && <TextInput type="date" label="Date" {...form.field("from")} />}
        {form.values.when === "later" && <TextInput type="time" label="Time in Lagos" {...form.field("time")} />}
      </Tiles>
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save the price
      </SubmitButton>
    </Form>
  );
}
