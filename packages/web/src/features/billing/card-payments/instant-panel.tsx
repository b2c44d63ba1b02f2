import { limits } from "@ewebal/contract/rules";
import { Button, TextInput } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useState } from "react";
import { useBrand } from "../../../lib/brand.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { buttonText, cleanUnits, isBuyable } from "./instant-purchase.ts";
import { PriceLines } from "./price-lines.tsx";
import { useInstantPurchase } from "./use-instant-purchase.ts";

/** Units by card: how many, what they cost, and the way to the card provider. */
export function InstantPanel() {
  const [units, setUnits] = useState("");
  const { isLeaving, refusal, buy } = useInstantPurchase();
  const brand = useBrand();
  const isInert = !isBuyable(units);
  const isTooMany = Number(units) > limits.instantUnitsMax;
  if (brand?.hasCards === false)
    return <Panel title="Instant Units">Card payments are not available. Buy units by bank deposit instead.</Panel>;
  return (
    <Panel title="Instant Units" aside={<IconBolt size={20} stroke={1.6} className="muted" aria-hidden />}>
      <Stack
        as="form"
        gap={16}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isInert) buy(Number(units));
        }}
      >
        <TextInput
          label="Units"
          description="One unit is one naira of sending credit."
          inputMode="numeric"
          autoComplete="off"
          placeholder="Units, such as 1000"
          value={units}
          error={
            isTooMany
              ? `A card takes ${formatCount(limits.instantUnitsMax)} units at most; larger sums come by bank deposit`
              : undefined
          }
          onChange={({ currentTarget }) => setUnits(cleanUnits(currentTarget.value))}
        />
        <PriceLines units={units} />
        <Refusal screen="instantPurchase" error={refusal} />
        {brand?.isCardSandbox === true && (
          <Callout tone="warn" title="Sandbox">
            No card provider is configured: no card is asked for, and no money moves.
          </Callout>
        )}
        <Button
          type="submit"
          fullWidth
          loading={isLeaving}
          data-disabled={isInert || undefined}
          aria-disabled={isInert}
        >
          {buttonText(units)}
        </Button>
      </Stack>
    </Panel>
  );
}
