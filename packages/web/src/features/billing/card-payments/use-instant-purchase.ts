import { paymentCalls } from "@ewebal/contract/calls";
import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { useSession } from "../../../lib/session/session.ts";
import { storePurchase } from "../../../shared/billing/stored-purchase.ts";
import { instantPurchaseNaira } from "./instant-purchase.ts";

type InstantPurchase = {
  /** True from the click until the provider's page is there. */
  isLeaving: boolean;
  refusal: unknown;
  /** @param units whole units that may be bought. */
  buy: (units: number) => void;
};

/** Begins a payment and leaves for the provider's page. A second click while the first is under way does nothing. */
export function useInstantPurchase(
  leave: (address: string) => void = (address) => window.location.assign(address),
): InstantPurchase {
  const { userId } = useSession();
  const { data: user } = useCurrentUser();
  const [isLeaving, setLeaving] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  // State is a drawing late; two clicks can fall between.
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
    // The back button may bring this page back as it was left: waiting.
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
