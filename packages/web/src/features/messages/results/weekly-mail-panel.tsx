import { Switch } from "@mantine/core";
import { resultCalls } from "@ewebal/contract/calls";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";

type Mails = { weeklyMail?: boolean; newDeviceMail?: boolean };

/** Turns the mails about the week before, and about new devices, on and off. Its box is there before it is known which. */
export function WeeklyMailPanel({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const queryKey = ["notifications", userId];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call(resultCalls.notifications, { params: { userId }, signal })).data,
  });
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (body: Mails) => call(resultCalls.setNotifications, { params: { userId }, body }),
    onSuccess: ({ data: saved }, { weeklyMail }) => {
      queryClient.setQueryData(queryKey, saved);
      const [name, isOn] =
        weeklyMail === undefined ? ["mail about new devices", saved.newDeviceMail] : ["weekly mail", saved.weeklyMail];
      showNotice({ title: `The ${name} is ${isOn ? "on" : "off"}` });
    },
    onError: (error) => showNotice(explainFailure(error)),
  });
  const pending = isPending ? variables : undefined;
  return (
    <Panel title="Mails">
      <Switch
        label="Mail me the results of each week"
        description="Comes on Monday morning, after a week in which you sent something."
        checked={pending?.weeklyMail ?? data?.weeklyMail ?? false}
        disabled={data === undefined}
        onChange={({ currentTarget }) => mutate({ weeklyMail: currentTarget.checked })}
      />
      <Switch
        className="above-16"
        label="Mail me when a new device signs in"
        description="If it wasn't you, change your password at once."
        checked={pending?.newDeviceMail ?? data?.newDeviceMail ?? false}
        disabled={data === undefined}
        onChange={({ currentTarget }) => mutate({ newDeviceMail: currentTarget.checked })}
      />
    </Panel>
  );
}
