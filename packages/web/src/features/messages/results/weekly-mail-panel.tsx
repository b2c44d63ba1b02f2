import { Switch } from "@mantine/core";
import { resultCalls } from "@ewebal/contract/calls";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";

/** Turns the mail about the week before on and off. Its box is there before it is known which. */
export function WeeklyMailPanel({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const queryKey = ["notifications", userId];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call(resultCalls.notifications, { params: { userId }, signal })).data,
  });
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (weeklyMail: boolean) =>
      call(resultCalls.setNotifications, { params: { userId }, body: { weeklyMail } }),
    onSuccess: ({ data: saved }) => {
      queryClient.setQueryData(queryKey, saved);
      showNotice({ title: saved.weeklyMail ? "The weekly mail is on" : "The weekly mail is off" });
    },
    onError: (error) => showNotice(explainFailure(error)),
  });
  return (
    <Panel title="Weekly mail">
      <Switch
        label="Mail me the results of each week"
        description="Comes on Monday morning, after a week in which you sent something."
        checked={isPending ? variables : (data?.weeklyMail ?? false)}
        disabled={data === undefined}
        onChange={({ currentTarget }) => mutate(currentTarget.checked)}
      />
    </Panel>
  );
}
