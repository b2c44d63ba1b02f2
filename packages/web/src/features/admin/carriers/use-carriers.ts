import type { CarrierAnswer } from "@ewebal/contract";
import { carrierCalls } from "@ewebal/contract/calls";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useSession } from "../../../lib/session/session.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** All carriers with their health; workers publish every change. */
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

/** Asks, acts and shows the result. @param isLast true when there is no other carrier. */
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
      ? "This is the only carrier. Messages will wait until you switch it on again."
      : "It gets no new messages. We wait for its answers to those that it has, and other carriers send the rest.";
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
      ? "This is the only carrier. If the simulator is on, it takes over: no real SMS is sent, but messages are still charged. If it is off, nothing can be sent."
      : "Its password is deleted, and the delivery reports that it has not sent yet are lost.";
    if (!(await confirm({ title: `About to remove ${name}?`, text }))) return;
    await act("remove", async (params) => await call(carrierCalls.removeCarrier, { params: { ...params, carrierId } }));
  };
  return {
    switchTo: (carrier, isEnabled) => void switchTo(carrier, isEnabled),
    remove: (carrier) => void remove(carrier),
  };
}
