import { Badge } from "@mantine/core";
import { IconRosetteDiscountCheck } from "@tabler/icons-react";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { formatCount, formatDateTime, formatPhone } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { FailedState } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { SessionsPanel } from "../../../shared/sessions/sessions-panel.tsx";
import { StatCard } from "../../../ui/kit/stat-card.tsx";
import { TwoFactorPanel } from "../../../shared/second-factor/two-factor-panel.tsx";
import classes from "../dashboard/basement-page.module.css";

/** The customer's details, and the four counters of the specification. */
export function ProfilePage() {
  const { data: user, error, refetch } = useCurrentUser();
  const actions = (
    <>
      <ButtonLink to={paths.statement} variant="default">
        Statement
      </ButtonLink>
      <ButtonLink to={paths.apiKeys} variant="default">
        API keys
      </ButtonLink>
      <ButtonLink to={paths.changePassword} variant="default">
        Change Password
      </ButtonLink>
      <ButtonLink to={paths.updateProfile}>Update Profile</ButtonLink>
    </>
  );
  if (user === undefined && error !== null) {
    return (
      <Page title="Personal Summary">
        <FailedState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  const approved = user?.isApproved === true && (
    <Badge color="green" variant="light" leftSection={<IconRosetteDiscountCheck size={14} aria-hidden />}>
      Approved
    </Badge>
  );
  return (
    <Page title="Personal Summary" actions={actions}>
      <Panel title="Your account" aside={approved}>
        <DetailList
          rows={[
            { name: "User Name", value: user?.userName },
            { name: "Full Name", value: user?.fullName },
            { name: "Email", value: user?.email },
            { name: "Tel", value: user && formatPhone(user.phoneNo) },
            { name: "Customer since", value: user && formatDateTime(user.createdAt) },
          ]}
        />
      </Panel>
      <div className={classes.figures}>
        <StatCard label="Successful SMS" value={user && formatCount(user.counts.sms)} />
        <StatCard label="Phone Book Lists" value={user && formatCount(user.counts.phonebook)} />
        <StatCard label="Transactions" value={user && formatCount(user.counts.transfers)} />
        <StatCard label="Drafted SMS(s)" value={user && formatCount(user.counts.draft)} />
      </div>
      {user !== undefined && <TwoFactorPanel id={user._id} />}
      {user !== undefined && <SessionsPanel id={user._id} />}
    </Page>
  );
}
