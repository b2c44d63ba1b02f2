import type { CarrierAnswer } from "@ewebal/contract";
import { carrierCalls } from "@ewebal/contract/calls";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useSession } from "../../../lib/session/session.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** All carriers and how they do; workers tell of every change. */
export function useCarriers(): UseQueryResult<CarrierAnswer[]> {
  return useQuery({
    queryKey: ["carriers"],
    queryFn: async ({ signal }) => (await call(carrierCalls.viewCarriers, { signal })).data,
  });
}

type CarrierActs = {
  switchTo: (carrier: CarrierAnswer, isEnabled: boolean) => void;
  remove: (carrier: CarrierAnswer) => void;
};

/** Asks, acts, and says how it went. @param isLast no other carrier is there. */
export function useCarrierActs(isLast: boolean): CarrierActs {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  const act = async (
    what: string,
    send: (params: { adminId: string }) => Promise<{ message: string }>,
  ): Promise<void> => {
    if (adminId === null) return;
    try {
      const { message } = await send({ adminId });
      showNotice({ title: message });
    } catch (error) {
      showNotice({
        tone: "error",
        title: `Unable to ${what} the carrier`,
        text: error instanceof Error ? error.message : "",
      });
    }
    await queryClient.invalidateQueries({ queryKey: ["carriers"] });
  };
  const switchTo = async ({ _id: carrierId, name }: CarrierAnswer, isEnabled: boolean): Promise<void> => {
    if (carrierId === undefined) return;
    const text = isLast
      ? "It is the only carrier: messages wait until it is switched on again."
      : "It gets no more messages. What it has in hand is awaited, the rest goes to other carriers.";
    if (!isEnabled && !(await confirm({ title: `About to switch ${name} off?`, text }))) return;
    await act(
      "switch",
      async (params) =>
        await call(carrierCalls.switchCarrier, { params: { ...params, carrierId }, body: { isEnabled } }),
    );
  };
  const remove = async ({ _id: carrierId, name }: CarrierAnswer): Promise<void> => {
    if (carrierId === undefined) return;
    const text = isLast
      ? "It is the only carrier. Without any the simulator carries, where it is on: no real SMS is sent, and messages are charged all the same. Where it is off, nothing can be sent."
      : "Its password is forgotten, and delivery reports that it still holds are lost to us.";
    if (!(await confirm({ title: `About to remove ${name}?`, text }))) return;
    await act("remove", async (params) => await call(carrierCalls.removeCarrier, { params: { ...params, carrierId } }));
  };
  return {
    switchTo: (carrier, isEnabled) => void switchTo(carrier, isEnabled),
    remove: (carrier) => void remove(carrier),
  };
}
