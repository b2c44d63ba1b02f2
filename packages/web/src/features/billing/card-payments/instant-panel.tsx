import { limits } from "@ewebal/contract/rules";
import { Button, TextInput } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useState, useCallback, useEffect, useRef } from "react";
import { paymentCalls } from "@ewebal/contract/calls";
import { useBrand } from "../../../lib/brand.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { useUnitsInWords } from "../../../shared/rates/use-rate-table.ts";
import { call } from "../../../lib/api/api.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { useSession } from "../../../lib/session/session.ts";
import { storePurchase } from "../../../shared/billing/stored-purchase.ts";
import { buttonText, cleanUnits, isBuyable, priceLines, instantPurchaseNaira } from "./instant-purchase.ts";
import classes from "./instant-panel.module.css";

/** Buys units by card: the amount, its price, and a button that leads to the card provider. */
export function InstantPanel() {
  const [units, setUnits] = useState("");
  const { isLeaving, refusal, buy } = useInstantPurchase();
  const brand = useBrand();
  const isInert = !isBuyable(units);
  const inWords = useUnitsInWords(Number(units));
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
          description={isInert ? "One unit is one naira of sending credit." : inWords}
          inputMode="numeric"
          autoComplete="off"
          placeholder="Units, such as 1000"
          value={units}
          error={
            isTooMany
              ? `A card payment takes ${formatCount(limits.instantUnitsMax)} units at most. Buy more by bank deposit.`
              : undefined
          }
          onChange={({ currentTarget }) => setUnits(cleanUnits(currentTarget.value))}
        />
        <Inline gap={8} wraps role="group" aria-label="Quick amounts">
          {QUICK_UNITS.map((amount) => (
            <Button key={amount} size="xs" variant="default" onClick={() => setUnits(String(amount))}>
              {formatCount(amount)}
            </Button>
          ))}
        </Inline>
        <PriceLines units={units} />
        <Refusal screen="instantPurchase" error={refusal} />
        <Button
          type="submit"
          fullWidth
          loading={isLeaving}
          data-disabled={isInert || undefined}
          aria-disabled={isInert}
        >
          {buttonText(units)}
        </Button>
        {brand?.isCardSandbox === true && (
          <p className="muted small">
            Sandbox: no card provider is connected. You are not asked for a card, and no money moves.
          </p>
        )}
      </Stack>
    </Panel>
  );
}

/** What most people buy, in units. */
const QUICK_UNITS = [1_000, 5_000, 10_000] as const;

/** The price of an instant purchase, in the three lines of the specification. */
function PriceLines({ units }: { units: string }) {
  const lines = priceLines(units);
  return (
    <Stack as="dl" gap={8} className={classes.lines} aria-label="Price" aria-live="polite">
      <div className={classes.line}>
        <dt>Units</dt>
        <dd>{lines.units}</dd>
      </div>
      <div className={classes.line}>
        <dt>Transaction cost</dt>
        <dd>{lines.transactionCost}</dd>
      </div>
      <div className={`${classes.line} ${classes.total}`}>
        <dt>Total</dt>
        <dd>{lines.total}</dd>
      </div>
    </Stack>
  );
}

type InstantPurchase = {
  /** True from the click until the provider's page opens. */
  isLeaving: boolean;
  refusal: unknown;
  /** @param units whole units within the limits of a purchase. */
  buy: (units: number) => void;
};

/** Starts a payment and opens the provider's page. A second click meanwhile does nothing. */
function useInstantPurchase(
  leave: (address: string) => void = (address) => window.location.assign(address),
): InstantPurchase {
  const { userId } = useSession();
  const { data: user } = useCurrentUser();
  const [isLeaving, setLeaving] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  // A ref, because state changes only with the next render; two clicks can come before it.
  const isBusy = useRef(false);

  const begin = async (units: number, payerId: string): Promise<void> => {
    const body = { email: user?.email ?? "", amount: instantPurchaseNaira(units), proposedUnits: units };
    const { data } = await call(paymentCalls.paystackPayment, { body });
    storePurchase({ reference: data.reference, userId: payerId, units });
    leave(data.authorization_url);
  };

  const stop = useCallback(() => {
    isBusy.current = false;
    setLeaving(false);
  }, []);

  useEffect(() => {
    // The back button may restore this page in its waiting state.
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) stop();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, [stop]);

  const buy = (units: number): void => {
    if (isBusy.current || userId === null) return;
    isBusy.current = true;
    setLeaving(true);
    setRefusal(undefined);
    begin(units, userId).catch((error: unknown) => {
      setRefusal(error);
      stop();
    });
  };

  return { isLeaving, refusal, buy };
}
