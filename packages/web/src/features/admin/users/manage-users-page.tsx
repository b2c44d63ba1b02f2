import { ActionIcon, Badge } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import {
  IconArrowsExchange,
  IconMessages,
  IconRosetteDiscountCheckFilled,
  IconUserCog,
  type Icon,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { formatCount, formatPhone, formatUnits } from "../../../lib/texts/format.ts";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { managePaths } from "../admin-paths.ts";
import { LoginStatus } from "./login-status.tsx";
import classes from "./manage-users-page.module.css";
import { useUserList, userFilterLabels, userOrderLabels } from "./user-list.ts";

const columns: readonly Column<UserAnswer>[] = [
  { title: "S/N", cell: (_, rowIndex) => <span className="numeric">{formatCount(rowIndex + 1)}</span>, width: "48px" },
  { title: "User Name", isHeading: true, cell: (user) => <UserName user={user} /> },
  { title: "Full Name", cell: ({ fullName }) => fullName },
  { title: "Email Address", cell: ({ email }) => <Email email={email} /> },
  { title: "Units (NGN)", isNumeric: true, cell: ({ units }) => formatUnits(units) },
  { title: "Contact", cell: ({ phoneNo }) => <span className="numeric nowrap">{formatPhone(phoneNo)}</span> },
  { title: "Status", cell: ({ loginStatus }) => <LoginStatus isActive={loginStatus} /> },
  { title: "Actions", isActions: true, cell: (user) => <Actions user={user} /> },
];

/** All customers: search and filters, and links to each customer's pages. */
export function ManageUsersPage() {
  const { list, filters } = useUserList();
  const { search, show, sort } = filters.values;
  return (
    <Page title="Manage Users">
      <Panel>
        <ListTools>
          <SearchField
            label="Search users"
            placeholder="Name, email or number"
            value={search}
            onSearch={(text) => filters.set({ search: text })}
          />
          <Choice
            name="show"
            label="Show"
            value={show}
            options={userFilterLabels}
            onValue={(value) => filters.set({ show: value })}
          />
          <Choice
            name="sort"
            label="Order"
            value={sort}
            options={userOrderLabels}
            onValue={(value) => filters.set({ sort: value })}
          />
        </ListTools>
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={{ title: "There are no users yet", text: "New users will be listed here." }}
          onClearFilters={search !== "" || show !== "" ? filters.clear : undefined}
        >
          <DataTable caption="Users" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onValue: (value: string) => void;
};

function Choice({ name, label, value, options, onValue }: ChoiceProps) {
  return (
    <NativeSelect size="sm" isLabelHidden name={name} label={label} value={value} onValue={onValue}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </NativeSelect>
  );
}

/** A long address breaks after its @, not inside a word. */
function Email({ email }: { email: string }) {
  const at = email.indexOf("@") + 1;
  return (
    <span className={classes.email}>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
}

function UserName({ user }: { user: UserAnswer }) {
  return (
    <span className={classes.name}>
      <TextLink to={managePaths.user(user._id)}>{user.userName}</TextLink>
      {user.verified && (
        <span role="img" aria-label="Verified" title="Verified" className={classes.verified}>
          <IconRosetteDiscountCheckFilled size={16} aria-hidden />
        </span>
      )}
      {user.blocked && (
        <Badge color="red" variant="light" size="sm" miw="max-content">
          Blocked
        </Badge>
      )}
    </span>
  );
}

function Actions({ user: { _id: userId, userName } }: { user: UserAnswer }) {
  return (
    <span className={classes.actions}>
      <ActionLink to={managePaths.user(userId)} label={`Details of ${userName}`} title="Details" icon={IconUserCog} />
      <ActionLink
        to={managePaths.userTransactions(userId)}
        label={`Transactions of ${userName}`}
        title="Transactions"
        icon={IconArrowsExchange}
      />
      <ActionLink
        to={managePaths.userMessages(userId)}
        label={`Messages of ${userName}`}
        title="Messages"
        icon={IconMessages}
      />
    </span>
  );
}

function ActionLink({ to, label, title, icon: LinkIcon }: { to: string; label: string; title: string; icon: Icon }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={title}
      renderRoot={(props) => <Link to={to} {...props} />}
    >
      <LinkIcon size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}
