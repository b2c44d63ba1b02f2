import { Badge, Button, TextInput } from "@mantine/core";
import type { AdminRole, AdminState, ListedAdminAnswer } from "@ewebal/contract";
import { administratorsCalls, adminUserCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import classes from "../whitelists/requests-panel.module.css";

/** The call behind each button of a row. */
const verbCalls = {
  approve: administratorsCalls.approveAdmin,
  block: administratorsCalls.blockAdmin,
  unblock: administratorsCalls.unblockAdmin,
  turnOffTwoFactor: adminUserCalls.turnOffTwoFactorOfAdmin,
  remove: administratorsCalls.removeAdmin,
};

const listKey = ["admin", "administrators"] as const;

/** The rights of each role, in a few words. */
const roleWords: Record<AdminRole, string> = {
  owner: "Owner: everything",
  admin: "Admin: all but this page",
  finance: "Finance: money",
  support: "Support: reading, sender names",
  viewer: "Viewer: reading",
};
const roles = Object.keys(roleWords) as AdminRole[];

const stateWords: Record<AdminState, { label: string; color: string }> = {
  waiting: { label: "Waiting", color: "yellow" },
  active: { label: "Active", color: "green" },
  blocked: { label: "Blocked", color: "red" },
};

type Verb = keyof typeof verbCalls;
type Act = { other: ListedAdminAnswer } & ({ verb: Verb } | { verb: "role"; role: AdminRole });

const verbWords: Record<Verb, { label: string; question?: string; text: string }> = {
  approve: { label: "Approve", text: "They can sign in from now on, and get a mail about it." },
  block: { label: "Block", text: "This signs them out everywhere, and they can't sign in again." },
  unblock: { label: "Unblock", text: "They can sign in again." },
  turnOffTwoFactor: {
    label: "Turn two-factor off",
    question: "About to turn two-factor sign-in off for",
    text: "Do this if they have lost their phone and their recovery codes. They are signed out everywhere, and get a mail about it.",
  },
  remove: { label: "Remove", text: "This closes their account. They can only register again with an invitation." },
};
const verbsOf: Record<AdminState, readonly Verb[]> = {
  waiting: ["approve", "remove"],
  active: ["block", "remove"],
  blocked: ["unblock", "remove"],
};

function verbsFor({ state, hasTwoFactor }: ListedAdminAnswer): readonly Verb[] {
  return hasTwoFactor ? [...verbsOf[state], "turnOffTwoFactor"] : verbsOf[state];
}

/** The owners' page: the administrators with their roles, and those who wait for approval. */
export function AdministratorsPage() {
  const { adminId } = useSession();
  return (
    <Page title="Administrators" intro="Decide who has access and what each person can do. Only owners see this page.">
      {adminId !== null && (
        <>
          <ListPanel adminId={adminId} />
          <InvitePanel adminId={adminId} />
        </>
      )}
    </Page>
  );
}

function ListPanel({ adminId }: { adminId: string }) {
  const list = useCursorList<ListedAdminAnswer>({
    queryKey: listKey,
    read: async (after, signal) =>
      await call(administratorsCalls.viewAdmins, { query: { ...(after !== undefined && { after }) }, signal }),
  });
  const { press, isActing } = useAct(adminId);
  const columns = columnsFor({ adminId, isActing, onPress: press });
  return (
    <Panel title="All administrators">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{
          title: "There are no administrators",
          text: "Administrators appear here once they have verified their mailbox.",
        }}
      >
        <DataTable caption="Administrators" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

type ColumnsInput = {
  adminId: string;
  isActing: boolean;
  onPress: ReturnType<typeof useAct>["press"];
};

function columnsFor({ adminId, isActing, onPress }: ColumnsInput): Column<ListedAdminAnswer>[] {
  return [
    {
      title: "Administrator",
      isHeading: true,
      width: "28%",
      cell: ({ adminFullName, email }) => (
        <>
          {adminFullName}
          <p className="muted small">{email}</p>
        </>
      ),
    },
    {
      title: "Role",
      width: "22%",
      cell: (other) =>
        other._id === adminId ? (
          roleWords[other.role]
        ) : (
          <RoleSelect
            label={`Role of ${other.adminFullName}`}
            value={other.role}
            onValue={(role) => onPress({ other, verb: "role", role })}
            isLabelHidden
          />
        ),
    },
    {
      title: "State",
      width: "12%",
      cell: ({ state }) => (
        <Badge variant="light" color={stateWords[state].color}>
          {stateWords[state].label}
        </Badge>
      ),
    },
    { title: "Two-factor", width: "10%", cell: ({ hasTwoFactor }) => (hasTwoFactor ? "On" : "Off") },
    {
      title: "Last sign-in",
      width: "14%",
      cell: ({ lastSignInAt }) => (lastSignInAt === null ? "Never" : <RelativeTime iso={lastSignInAt} />),
    },
    {
      title: "Actions",
      isActions: true,
      cell: (other) =>
        other._id === adminId ? (
          "You"
        ) : (
          // Three buttons side by side are wider than their column.
          <div className={classes.answers} style={{ flexWrap: "wrap" }}>
            {verbsFor(other).map((verb) => (
              <Button
                key={verb}
                size="xs"
                variant="default"
                disabled={isActing}
                aria-label={`${verbWords[verb].label} ${other.adminFullName}`}
                onClick={() => onPress({ other, verb })}
              >
                {verbWords[verb].label}
              </Button>
            ))}
          </div>
        ),
    },
  ];
}

type RoleSelectProps = {
  label: string;
  value: AdminRole;
  onValue: (role: AdminRole) => void;
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
      onValue={(role) => onValue(role as AdminRole)}
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
function useAct(adminId: string): { press: (act: Act) => void; isActing: boolean } {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (act: Act) => {
      const params = { adminId, otherId: act.other._id };
      return act.verb === "role"
        ? await call(administratorsCalls.setAdminRole, { params, body: { role: act.role } })
        : await call(verbCalls[act.verb], { params });
    },
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainError("service", error)),
    // Also after a refusal: another owner may have acted first.
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["admin"] }),
  });
  const ask = async (act: Act): Promise<void> => {
    const { adminFullName } = act.other;
    const question =
      act.verb === "role"
        ? {
            title: `About to make ${adminFullName} ${act.role}?`,
            text: `${roleWords[act.role]}. This takes effect at once.`,
          }
        : {
            title: `${verbWords[act.verb].question ?? `About to ${act.verb}`} ${adminFullName}?`,
            text: verbWords[act.verb].text,
          };
    if (await confirm(question)) mutate(act);
  };
  return { press: (act) => void ask(act), isActing: isPending };
}

function InvitePanel({ adminId }: { adminId: string }) {
  const form = useForm<{ email: string; role: string }>({
    initial: { email: "", role: "admin" },
    missing: ({ email }) => (email.trim() === "" ? ["email"] : []),
    send: async ({ email, role }) => {
      const { message } = await call(administratorsCalls.inviteAdmin, {
        params: { adminId },
        body: { email, role: role as AdminRole },
      });
      showNotice({ title: message });
      form.set("email", "");
    },
  });
  return (
    <Panel title="Invite an administrator" isNarrow>
      <Form form={form}>
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          description="A company email. If they register within seven days, they don't need your approval."
          {...form.field("email")}
        />
        <RoleSelect label="Role" value={form.values.role as AdminRole} onValue={(role) => form.set("role", role)} />
        <Refusal screen="service" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Invite
        </SubmitButton>
      </Form>
    </Panel>
  );
}
