import { Button, TextInput } from "@mantine/core";
import type { CarrierCostAnswer } from "@ewebal/contract";
import { carrierCalls, carrierCostCalls } from "@ewebal/contract/calls";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { formatRate } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";

const COST_TEXT = /^[0-9]{1,4}(?:\.[0-9]{1,3})?$/;
const PREFIX_DIGITS_MAX = 15;

type CarrierChoice = { name: string; id: string };
type SetCost = (carrierId: string, prefix: string, cost: number | null) => Promise<void>;

/** What carriers bill for one SMS part, by the beginning of the number. */
export function CostsPanel() {
  const query = useQuery({
    queryKey: ["admin", "carrier-costs"],
    queryFn: async ({ signal }) => (await call(carrierCostCalls.viewCarrierCosts, { signal })).data,
  });
  const carriers = useQuery({
    queryKey: ["admin", "carrier-costs", "carriers"],
    queryFn: async ({ signal }): Promise<CarrierChoice[]> =>
      (await call(carrierCalls.viewCarriers, { signal })).data.map(({ _id, name }) => ({ name, id: _id ?? name })),
  });
  const setCost = useSetCost();
  const choices = carriers.data ?? [];
  return (
    <Panel title="What carriers bill">
      <Stack gap={24}>
        {choices.length > 0 && <CostForm carriers={choices} onSend={setCost} />}
        <ListStates
          query={query}
          rowCount={query.data?.length ?? 0}
          empty={{
            title: "No costs are known",
            text: "The margin needs what carriers bill. Until then, carriers of equal priority share messages by weight alone.",
          }}
          skeletonRows={2}
        >
          <DataTable
            caption="What carriers bill"
            columns={columnsFor(choices, setCost)}
            rows={query.data ?? []}
            rowKey={({ carrier, prefix }) => `${carrier} ${prefix}`}
          />
        </ListStates>
      </Stack>
    </Panel>
  );
}

function columnsFor(choices: readonly CarrierChoice[], setCost: SetCost): Column<CarrierCostAnswer>[] {
  const idOf = (carrier: string): string => choices.find(({ name }) => name === carrier)?.id ?? carrier;
  return [
    { title: "Carrier", isHeading: true, cell: ({ carrier }) => carrier },
    { title: "Numbers", cell: ({ prefix }) => (prefix === "" ? "All" : `+${prefix}…`) },
    { title: "Naira a part", isNumeric: true, cell: ({ cost }) => formatRate(cost) },
    {
      title: "Change",
      isActions: true,
      cell: ({ carrier, prefix }) => (
        <Button
          size="xs"
          variant="default"
          aria-label={`Remove the cost of ${carrier} for ${prefix === "" ? "all numbers" : `+${prefix}`}`}
          onClick={() =>
            void setCost(idOf(carrier), prefix, null).catch((error: unknown) =>
              showNotice(explainError("service", error)),
            )
          }
        >
          Remove
        </Button>
      ),
    },
  ];
}

function useSetCost(): SetCost {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  return async (carrierId, prefix, cost) => {
    const { message } = await call(carrierCostCalls.setCarrierCost, {
      params: { adminId: adminId ?? "", carrierId },
      body: { prefix, cost },
    });
    showNotice({ title: message });
    await queryClient.invalidateQueries({ queryKey: ["admin", "carrier-costs"] });
  };
}

function CostForm({ carriers, onSend }: { carriers: readonly CarrierChoice[]; onSend: SetCost }) {
  const form = useForm({
    initial: { carrier: carriers[0]?.id ?? "", prefix: "234", cost: "" },
    missing: ({ cost }) => (COST_TEXT.test(cost) ? [] : ["naira a part with at most three decimals"]),
    send: async ({ carrier, prefix, cost }) => await onSend(carrier, prefix, Number(cost)),
  });
  return (
    <Form form={form}>
      <Tiles min={200} gap={16} align="start">
        <NativeSelect
          label="Carrier"
          name="carrier"
          value={form.values.carrier}
          onValue={(next) => form.set("carrier", next)}
        >
          {carriers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
        <TextInput
          label="Numbers that begin with (empty: all)"
          inputMode="numeric"
          autoComplete="off"
          {...form.field("prefix")}
          onChange={({ currentTarget }) =>
            form.set("prefix", currentTarget.value.replaceAll(/[^0-9]/g, "").slice(0, PREFIX_DIGITS_MAX))
          }
        />
        <TextInput
          label="Naira a part"
          inputMode="decimal"
          autoComplete="off"
          {...form.field("cost")}
          onChange={({ currentTarget }) => form.set("cost", currentTarget.value.replaceAll(/[^0-9.]/g, "").slice(0, 8))}
        />
      </Tiles>
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save the cost
      </SubmitButton>
    </Form>
  );
}
