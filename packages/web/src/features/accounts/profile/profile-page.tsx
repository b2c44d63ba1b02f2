import { Badge } from "@mantine/core";
import { IconRosetteDiscountCheck } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { formatCount, formatDateTime, formatPhone } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { FailedState } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { PasskeysPanel } from "../../../shared/passkeys/passkeys-panel.tsx";
import { SessionsPanel } from "../../../shared/sessions/sessions-panel.tsx";
import { TwoFactorPanel } from "../../../shared/second-factor/two-factor-panel.tsx";
import { AccountAccessPanel } from "./account-access-panel.tsx";
import classes from "./profile-page.module.css";

const YourDataPanel = lazy(async () => ({ default: (await import("./your-data-panel.tsx")).YourDataPanel }));

/** The customer's details, and the four counters of the specification. */
export function ProfilePage() {
  const { data: user, error, refetch } = useCurrentUser();
  const actions = (
    <Inline gap={0} across={20} wraps className={classes.links}>
      <TextLink to={paths.changePassword}>Change Password</TextLink>
      <TextLink to={paths.updateProfile}>Update Profile</TextLink>
    </Inline>
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
  // Basement shows them large.
  const counters = [
    { name: "Successful SMS", count: user?.counts.sms, to: paths.smsHistory },
    { name: "Phone Book Lists", count: user?.counts.phonebook, to: paths.allContacts },
    { name: "Transactions", count: user?.counts.transfers, to: paths.transactions },
    { name: "Drafted SMS(s)", count: user?.counts.draft, to: paths.draftedSms },
  ];
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
        <Inline as="dl" gap={4} across={24} wraps above={16} className={`${classes.counters} small`}>
          {counters.map(({ name, count, to }) => (
            <div key={name}>
              <dt>
                <TextLink to={to}>{name}</TextLink>
              </dt>
              <dd>{count === undefined ? "–" : formatCount(count)}</dd>
            </div>
          ))}
        </Inline>
      </Panel>
      {user !== undefined && <TwoFactorPanel id={user._id} />}
      {user !== undefined && <PasskeysPanel id={user._id} />}
      {user !== undefined && <SessionsPanel id={user._id} />}
      {user !== undefined && <AccountAccessPanel userId={user._id} />}
      {user !== undefined && (user.member === undefined || user.member.role === "owner") && (
        <Suspense fallback={null}>
          <YourDataPanel user={user} />
        </Suspense>
      )}
    </Page>
  );
}
