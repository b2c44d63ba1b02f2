import { Button, TextInput } from "@mantine/core";
import type { TierAnswer } from "@ewebal/contract";
import { priceCalls } from "@ewebal/contract/calls";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";

/** As many digits as the contract's largest amount has. */
const UNITS_DIGITS_MAX = 12;
const PERCENT_TEXT = /^[0-9]{1,2}(?:\.[0-9]{1,2})?$/;

type SetTiers = (tiers: TierAnswer[]) => Promise<void>;

/** Discounts by the units that a customer uses in a month. */
export function TiersPanel() {
  const [isAdding, setAdding] = useState(false);
  const query = useQuery({
    queryKey: ["rates", "tiers"],
    queryFn: async ({ signal }) => (await call(priceCalls.viewTiers, { signal })).data,
  });
  const tiers = query.data ?? [];
  const setTiers = useSetTiers();
  const add = (
    <Button variant="default" size="xs" onClick={() => setAdding(!isAdding)}>
      {isAdding ? "Cancel" : "Add a tier"}
    </Button>
  );
  return (
    <Panel title="Tiers" aside={add}>
      <Stack gap={24}>
        {isAdding && <TierForm tiers={tiers} onSend={setTiers} onDone={() => setAdding(false)} />}
        <ListStates
          query={query}
          rowCount={tiers.length}
          empty={{ title: "No tiers", text: "Every customer pays the rates of the list." }}
          skeletonRows={2}
        >
          <DataTable
            caption="Tiers"
            columns={columnsFor(tiers, setTiers)}
            rows={tiers}
            rowKey={({ unitsPerMonth }) => String(unitsPerMonth)}
          />
          <p className="above-12 muted">
            The discount follows the units used last month or this month, whichever are more. A price that is set for
            one customer has no discount.
          </p>
        </ListStates>
      </Stack>
    </Panel>
  );
}

function columnsFor(tiers: readonly TierAnswer[], setTiers: SetTiers): Column<TierAnswer>[] {
  return [
    { title: "Units a month", isHeading: true, cell: ({ unitsPerMonth }) => `${formatCount(unitsPerMonth)} or more` },
    { title: "Discount", isNumeric: true, cell: ({ discountPercent }) => `${discountPercent} %` },
    {
      title: "Change",
      isActions: true,
      cell: (tier) => (
        <Button
          size="xs"
          variant="default"
          aria-label={`Remove the tier of ${formatCount(tier.unitsPerMonth)} units`}
          onClick={() =>
            void setTiers(tiers.filter((other) => other !== tier)).catch((error: unknown) =>
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

function useSetTiers(): SetTiers {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  return async (tiers) => {
    const { message } = await call(priceCalls.setTiers, { params: { adminId: adminId ?? "" }, body: tiers });
    showNotice({ title: message });
    await queryClient.invalidateQueries({ queryKey: ["rates"] });
  };
}

type TierFormProps = { tiers: readonly TierAnswer[]; onSend: SetTiers; onDone: () => void };

function TierForm({ tiers, onSend, onDone }: TierFormProps) {
  const form = useForm({
    initial: { unitsPerMonth: "", discountPercent: "" },
    missing: ({ unitsPerMonth, discountPercent }) =>
      [
        unitsPerMonth === "" && "units a month",
        !(PERCENT_TEXT.test(discountPercent) && Number(discountPercent) > 0) && "a discount above 0 percent",
      ].filter((word) => word !== false),
    send: async (values) => {
      const tier = { unitsPerMonth: Number(values.unitsPerMonth), discountPercent: Number(values.discountPercent) };
      await onSend([...tiers.filter(({ unitsPerMonth }) => unitsPerMonth !== tier.unitsPerMonth), tier]);
      onDone();
    },
  });
  return (
    <Form form={form}>
      <Tiles min={240} gap={16} align="start">
        <TextInput
          label="Units a month"
          inputMode="numeric"
          autoComplete="off"
          {...form.field("unitsPerMonth")}
          onChange={({ currentTarget }) =>
            form.set("unitsPerMonth", currentTarget.value.replaceAll(/[^0-9]/g, "").slice(0, UNITS_DIGITS_MAX))
          }
        />
        <TextInput
          label="Discount in percent"
          inputMode="decimal"
          autoComplete="off"
          {...form.field("discountPercent")}
          onChange={({ currentTarget }) =>
            form.set("discountPercent", currentTarget.value.replaceAll(/[^0-9.]/g, "").slice(0, 5))
          }
        />
      </Tiles>
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save the tier
      </SubmitButton>
    </Form>
  );
}
