import { Badge, Button, TextInput } from "@mantine/core";
import type { MemberAnswer, MemberRole, UserAnswer } from "@ewebal/contract";
import { teamCalls } from "@ewebal/contract/calls";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { readTokenId, startUserSession, useSession } from "../../../lib/session/session.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { formatCounted } from "../../../lib/texts/format.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { useOwnRole } from "../../../shared/account/own-role.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";

/** What each role may, in a few words. */
const roleWords: Readonly<Record<MemberRole, string>> = {
  viewer: "Viewer: reads",
  sender: "Sender: sends messages",
  approver: "Approver: sends, approves",
  owner: "Owner: everything",
};
const roles = Object.keys(roleWords) as MemberRole[];

/** Who shares the account, and as what. */
export function TeamPage() {
  const { userId } = useSession();
  const { data: user } = useCurrentUser();
  const isOwner = useOwnRole() === "owner";
  return (
    <Page
      title="Team"
      intro="The people who work in this account. Each signs in with their own email and password; what they send carries their name."
    >
      {userId !== null && (
        <>
          <MembersPanel userId={userId} isOwner={isOwner} />
          {isOwner && <InvitePanel userId={userId} />}
          <LimitPanel userId={userId} isOwner={isOwner} />
          {user?.accounts !== undefined && <AccountsPanel userId={userId} accounts={user.accounts} />}
        </>
      )}
    </Page>
  );
}

type Act = { member: MemberAnswer; role?: MemberRole };

function MembersPanel({ userId, isOwner }: { userId: string; isOwner: boolean }) {
  const list = useCursorList<MemberAnswer>({
    queryKey: ["members", userId],
    read: async (_after, signal) => await call(teamCalls.members, { params: { userId }, signal }),
  });
  const { press, isActing } = useAct(userId);
  return (
    <Panel title="Members">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{ title: "Nobody is here", text: "The account's members appear here." }}
      >
        <DataTable
          caption="Members"
          columns={columnsFor({ userId, isOwner, isActing, onPress: press })}
          rows={list.rows}
          rowKey={({ _id }) => _id}
        />
      </ListStates>
    </Panel>
  );
}

type ColumnsInput = { userId: string; isOwner: boolean; isActing: boolean; onPress: (act: Act) => void };

function columnsFor({ userId, isOwner, isActing, onPress }: ColumnsInput): Column<MemberAnswer>[] {
  // The account's own user stays its owner.
  const isFixed = ({ _id }: MemberAnswer): boolean => !isOwner || _id === userId;
  return [
    {
      title: "Member",
      isHeading: true,
      width: "32%",
      cell: ({ fullName, email, isYou }) => (
        <>
          {fullName === "" ? email : fullName}
          {isYou && " (you)"}
          {fullName !== "" && <p className="muted small anywhere">{email}</p>}
        </>
      ),
    },
    {
      title: "Role",
      width: "30%",
      cell: (member) =>
        isFixed(member) ? (
          roleWords[member.role]
        ) : (
          <RoleSelect
            label={`Role of ${nameOf(member)}`}
            value={member.role}
            onValue={(role) => onPress({ member, role })}
            isLabelHidden
          />
        ),
    },
    {
      title: "State",
      width: "16%",
      cell: ({ state }) => (
        <Badge variant="light" color={state === "active" ? "green" : "yellow"}>
          {state === "active" ? "Active" : "Invited"}
        </Badge>
      ),
    },
    {
      title: "Actions",
      isActions: true,
      cell: (member) =>
        isFixed(member) ? null : (
          <Button
            size="xs"
            variant="default"
            disabled={isActing}
            aria-label={`Remove ${nameOf(member)}`}
            onClick={() => onPress({ member })}
          >
            Remove
          </Button>
        ),
    },
  ];
}

function nameOf({ fullName, email }: MemberAnswer): string {
  return fullName === "" ? email : fullName;
}

type RoleSelectProps = {
  label: string;
  value: MemberRole;
  onValue: (role: MemberRole) => void;
  isLabelHidden?: boolean;
};

function RoleSelect({ label, value, onValue, isLabelHidden = false }: RoleSelectProps) {
  return (
    <NativeSelect
      label={label}
      name="role"
      value={value}
      size={isLabelHidden ? "sm" : "md"}
      isLabelHidden={isLabelHidden}
      onValue={(role) => onValue(role as MemberRole)}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {roleWords[role]}
        </option>
      ))}
    </NativeSelect>
  );
}

/** Asks first, then acts and shows the result. */
function useAct(userId: string): { press: (act: Act) => void; isActing: boolean } {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ member, role }: Act) => {
      const params = { userId, memberId: member._id };
      return role === undefined
        ? await call(teamCalls.removeMember, { params })
        : await call(teamCalls.editMember, { params, body: { role } });
    },
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainError("service", error)),
    // Also after a refusal: another owner may have acted first.
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["members"] }),
  });
  const ask = async (act: Act): Promise<void> => {
    const name = nameOf(act.member);
    const question =
      act.role === undefined
        ? {
            title: `About to remove ${name}?`,
            text:
              act.member.state === "invited"
                ? "The invitation is withdrawn."
                : "This signs them out of this account at once. What they sent stays.",
          }
        : { title: `About to make ${name} ${act.role}?`, text: `${roleWords[act.role]}. This takes effect at once.` };
    if (await confirm(question)) mutate(act);
  };
  return { press: (act) => void ask(act), isActing: isPending };
}

function InvitePanel({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const form = useForm<{ email: string; role: string }>({
    initial: { email: "", role: "sender" },
    missing: ({ email }) => (email.trim() === "" ? ["email"] : []),
    schema: async () => (await import("@ewebal/contract/schemas/people/teams")).teamSchemas.inviteMember.body,
    send: async ({ email, role }) => {
      const body = { email, role: role as MemberRole };
      const { message } = await call(teamCalls.inviteMember, { params: { userId }, body });
      showNotice({ title: message });
      form.set("email", "");
      await queryClient.invalidateQueries({ queryKey: ["members"] });
    },
  });
  return (
    <Panel title="Invite a member" isNarrow>
      <Form form={form}>
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          description="A person with an account here is a member at once. Others become members when they register with this email within seven days."
          {...form.field("email")}
        />
        <RoleSelect label="Role" value={form.values.role as MemberRole} onValue={(role) => form.set("role", role)} />
        <Refusal screen="service" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Invite
        </SubmitButton>
      </Form>
    </Panel>
  );
}

function LimitPanel({ userId, isOwner }: { userId: string; isOwner: boolean }) {
  const query = useQuery({
    queryKey: ["user", userId, "approval-limit"],
    queryFn: async ({ signal }) => (await call(teamCalls.approvalLimit, { params: { userId }, signal })).data,
  });
  const recipients = query.data?.recipients ?? null;
  return (
    <Panel title="Approval" isNarrow>
      <ListStates query={query} rowCount={1} empty={{ title: "", text: "" }} skeletonRows={isOwner ? 3 : 1}>
        <Stack gap={16}>
          <p className="muted">
            {recipients === null
              ? "Messages of senders go out at once."
              : `A sender's message to more than ${formatCounted(recipients, "recipient")} waits until an approver or owner approves it.`}
          </p>
          {isOwner && <LimitForm key={recipients} userId={userId} recipients={recipients} />}
        </Stack>
      </ListStates>
    </Panel>
  );
}

function LimitForm({ userId, recipients }: { userId: string; recipients: number | null }) {
  const queryClient = useQueryClient();
  const form = useForm<{ recipients: string }>({
    initial: { recipients: recipients === null ? "" : String(recipients) },
    missing: ({ recipients: text }) => (/^[0-9]*$/.test(text.trim()) ? [] : ["a whole number"]),
    send: async ({ recipients: text }) => {
      const above = text.trim() === "" ? null : Number(text);
      const { message } = await call(teamCalls.setApprovalLimit, { params: { userId }, body: { recipients: above } });
      showNotice({ title: message });
      await queryClient.invalidateQueries({ queryKey: ["user", userId, "approval-limit"] });
    },
  });
  return (
    <Form form={form}>
      <TextInput
        label="Recipients without approval"
        inputMode="numeric"
        description="Leave it empty, and no message waits. With 0, every message of a sender waits."
        {...form.field("recipients")}
      />
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save
      </SubmitButton>
    </Form>
  );
}

/** For a person who has an account of their own beside this one. */
function AccountsPanel({ userId, accounts }: { userId: string; accounts: NonNullable<UserAnswer["accounts"]> }) {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (accountId: string) =>
      await call(teamCalls.switchAccount, { params: { userId }, body: { accountId } }),
    onSuccess: ({ message, data: token }) => {
      // What one account shows is not the other's.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
      startUserSession(readTokenId(token));
      showNotice({ title: message });
    },
    onError: (error) => showNotice(explainError("service", error)),
  });
  return (
    <Panel title="Your accounts" isNarrow>
      <Stack as="ul" divided={12} aria-label="Your accounts">
        {accounts.map(({ _id, userName, role }) => (
          <li key={_id}>
            <Inline justify="between" align="center" gap={12} wraps>
              <span className="anywhere">
                {userName} <span className="muted small">{role}</span>
              </span>
              {_id === userId ? (
                <span className="muted small">You are here</span>
              ) : (
                <Button size="xs" variant="default" loading={isPending} onClick={() => mutate(_id)}>
                  Work in {userName}
                </Button>
              )}
            </Inline>
          </li>
        ))}
      </Stack>
    </Panel>
  );
}
