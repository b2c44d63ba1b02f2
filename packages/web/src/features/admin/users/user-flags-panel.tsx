import { Badge, Button } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import { Link } from "@tanstack/react-router";
import { adminUserCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { paths } from "../../../lib/paths.ts";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { ExternalLink } from "../../../ui/kit/links.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { call } from "../../../lib/api/api.ts";
import { explainError, type CatalogueScreen } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { useCurrentAdmin } from "../../../shared/account/current-admin.ts";
import { LoginStatus } from "./login-status.tsx";
import { LookDialog } from "./look-dialog.tsx";
import classes from "./user-flags-panel.module.css";

/** The customer's access: states that an administrator switches, and links to the record of the money. */
export function UserFlagsPanel({ user }: { user: UserAnswer }) {
  const { press, isPending } = useFlagUser(user);
  const { data: admin } = useCurrentAdmin();
  const [isLooking, setLooking] = useState(false);
  return (
    <Panel title="Access">
      <DetailList
        rows={[
          { name: "Status", value: <LoginStatus isActive={user.loginStatus} /> },
          { name: "Mailbox", value: <State isOn={user.verified} on="Verified" off="Not verified" offColor="yellow" /> },
          {
            name: "Approval",
            value: <State isOn={user.isApproved} on="Approved" off="Not approved" offColor="gray" />,
          },
          { name: "Two-factor sign-in", value: <State isOn={user.hasTwoFactor} on="On" off="Off" offColor="gray" /> },
          {
            name: "Service",
            value: (
              <State
                isOn={!user.blocked}
                on="Open"
                off={user.closedAt === undefined ? "Blocked" : "Closed by its owner"}
                offColor="red"
              />
            ),
          },
        ]}
      />
      <Inline gap={12} wraps above={20}>
        {user.blocked ? (
          <Button loading={isPending} onClick={() => press("unblock")}>
            {user.closedAt === undefined ? "Unblock user" : "Open the account again"}
          </Button>
        ) : (
          <Button color="red" variant="light" loading={isPending} onClick={() => press("block")}>
            Block user
          </Button>
        )}
        <Button variant="default" loading={isPending} onClick={() => press(user.isApproved ? "unapprove" : "approve")}>
          {user.isApproved ? "Remove approval" : "Approve user"}
        </Button>
        {user.hasTwoFactor && (
          <Button variant="default" loading={isPending} onClick={() => press("turnOffTwoFactor")}>
            Turn two-factor sign-in off
          </Button>
        )}
        {(admin?.role === "owner" || admin?.role === "admin") && (
          <Button variant="default" onClick={() => setLooking(true)}>
            See their account
          </Button>
        )}
      </Inline>
      <LookDialog user={user} opened={isLooking} onClose={() => setLooking(false)} />
      <Inline gap={8} across={20} wraps above={16} className={`${classes.links} small`}>
        <ExternalLink href={`/api/${user._id}/statement?format=csv`}>Ledger statement (CSV)</ExternalLink>
        <Link to={paths.auditLog} search={{ subjectId: user._id }} className={classes.link}>
          What administrators did
        </Link>
      </Inline>
    </Panel>
  );
}

function State({ isOn, on, off, offColor }: { isOn: boolean; on: string; off: string; offColor: string }) {
  return (
    <Badge color={isOn ? "green" : offColor} variant="light">
      {isOn ? on : off}
    </Badge>
  );
}

type Flag = "block" | "unblock" | "approve" | "unapprove" | "turnOffTwoFactor";

/** The question before each action, in the words of the specification, and the screen whose error texts apply. */
const flags: Record<
  Flag,
  {
    question?: { title: string; text?: string };
    screen: CatalogueScreen;
    call: (typeof adminUserCalls)["blockUser" | "unblockUser" | "approveUser" | "unapproveUser" | "turnOffTwoFactor"];
  }
> = {
  block: {
    question: { title: "About to block user?", text: "User won't be able to use your service" },
    screen: "blockUser",
    call: adminUserCalls.blockUser,
  },
  unblock: {
    question: { title: "About to unblock user?" },
    screen: "unblockUser",
    call: adminUserCalls.unblockUser,
  },
  approve: { screen: "adminUpdateUser", call: adminUserCalls.approveUser },
  unapprove: { screen: "adminUpdateUser", call: adminUserCalls.unapproveUser },
  turnOffTwoFactor: {
    question: {
      title: "Turn two-factor sign-in off?",
      text: "Make sure that this person asked for it. Their password alone will open the account. They are signed out, and get a mail about it.",
    },
    screen: "service",
    call: adminUserCalls.turnOffTwoFactor,
  },
};

/** Changes a customer's access or approval, and shows the result. */
function useFlagUser(user: UserAnswer): { press: (flag: Flag) => void; isPending: boolean } {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (flag: Flag) => await call(flags[flag].call, { params: { userId: user._id } }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error, flag) => showNotice(explainError(flags[flag].screen, error)),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["admin"] }),
  });
  const ask = async (flag: Flag): Promise<void> => {
    const { question } = flags[flag];
    if (question === undefined || (await confirm(question))) mutate(flag);
  };
  return { press: (flag) => void ask(flag), isPending };
}
