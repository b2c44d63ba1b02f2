import { Badge } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import { IconRosetteDiscountCheckFilled } from "@tabler/icons-react";
import { formatCount, formatPhone, formatUnits } from "../../../lib/texts/format.ts";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { Email } from "../../../ui/kit/email.tsx";
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
  { title: "Status", cell: (user) => <Status user={user} /> },
  { title: "Actions", isActions: true, cell: (user) => <Actions user={user} /> },
];

/** All customers: search and filters, and links to each customer's pages. */
export function ManageUsersPage() {
  const { list, filters } = useUserList();
  const { search, show, sort } = filters.values;
  return (
    <Page title="Manage Users">
      <Panel>
        <ListTools
          filters={filters}
          search={
            <SearchField
              label="Search users"
              placeholder="Name, email or number"
              value={search}
              onSearch={(text) => filters.set({ search: text })}
            />
          }
        >
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

function UserName({ user }: { user: UserAnswer }) {
  return (
    <span className={classes.name}>
      <TextLink to={managePaths.user(user._id)}>{user.userName}</TextLink>
      {user.verified && (
        <span role="img" aria-label="Verified" title="Verified" className={classes.verified}>
          <IconRosetteDiscountCheckFilled size={16} aria-hidden />
        </span>
      )}
    </span>
  );
}

function Status({ user: { loginStatus, blocked } }: { user: UserAnswer }) {
  return (
    <span className={classes.status}>
      <LoginStatus isActive={loginStatus} />
      {blocked && (
        <Badge color="red" variant="light" size="sm" miw="max-content">
          Blocked
        </Badge>
      )}
    </span>
  );
}

function Actions({ user: { _id: userId, userName } }: { user: UserAnswer }) {
  const links = [
    { to: managePaths.user(userId), word: "Details" },
    { to: managePaths.userTransactions(userId), word: "Transactions" },
    { to: managePaths.userMessages(userId), word: "Messages" },
  ];
  return (
    <span className={classes.actions}>
      {links.map(({ to, word }) => (
        <TextLink key={word} to={to} className={classes.action ?? ""}>
          {word} <span className="visually-hidden">of {userName}</span>
        </TextLink>
      ))}
    </span>
  );
}
