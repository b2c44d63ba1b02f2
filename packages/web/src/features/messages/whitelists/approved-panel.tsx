import { whitelistCalls } from "@ewebal/contract/calls";
import { Switch } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { whitelistsQuery } from "../message-queries.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import classes from "./approved-panel.module.css";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";

type ApprovedPanelProps = {
  userId: string;
  whitelists: { senderNames: readonly string[]; addresses: readonly string[]; isDashboardRestricted: boolean };
};

/** What may be sent as and from where; nothing while nothing is approved. */
export function ApprovedPanel({
  userId,
  whitelists: { senderNames, addresses, isDashboardRestricted },
}: ApprovedPanelProps) {
  if (senderNames.length === 0 && addresses.length === 0) return null;
  return (
    <Panel title="Approved">
      <div className={classes.groups}>
        <Names title="Sender names" names={senderNames} />
        <Names title="IP addresses" names={addresses} />
      </div>
      {addresses.length > 0 && <RestrictionSwitch userId={userId} isRestricted={isDashboardRestricted} />}
    </Panel>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <h3 className={classes.title}>{title}</h3>
      <Inline as="ul" gap={8} wraps className={classes.names}>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </Inline>
    </div>
  );
}

/** The GET form always needs an approved address; the dashboard only when its owner wants so. */
function RestrictionSwitch({ userId, isRestricted }: { userId: string; isRestricted: boolean }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (next: boolean) =>
      call(whitelistCalls.restrictDashboard, { params: { userId }, body: { isRestricted: next } }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainFailure(error)),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: whitelistsQuery(userId).queryKey }),
  });
  return (
    <Switch
      className="above-20"
      label="Send from these addresses only"
      description="Programs can always send from these addresses only. When this is on, so can this dashboard."
      checked={isPending ? variables : isRestricted}
      onChange={({ currentTarget }) => mutate(currentTarget.checked)}
    />
  );
}
