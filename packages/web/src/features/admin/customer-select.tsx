import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { UserAnswer } from "@ewebal/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../lib/api.ts";
import { networkLost } from "../../lib/catalogue-texts.ts";
import classes from "./customer-select.module.css";
import { customerSearchQuery } from "./customers.ts";

interface CustomerSelectProps {
  value: UserAnswer | undefined;
  onChange: (user: UserAnswer | undefined) => void;
  error?: string | undefined;
}

const searchPauseMs = 200;

/** Chooses a customer by e-mail. The server searches, so it is as quick with a million customers as with ten. */
export function CustomerSelect({ value, onChange, error }: CustomerSelectProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  // The field shows the chosen e-mail, which is no search.
  const [search] = useDebouncedValue(typed === value?.email ? "" : typed.trim(), searchPauseMs);
  const { data, error: failure, isPending } = useQuery({ ...customerSearchQuery(search), enabled: isOpen, placeholderData: keepPreviousData });
  const found = data?.users ?? [];
  const users = value === undefined || found.some(({ _id }) => _id === value._id) ? found : [value, ...found];

  return (
    <Select
      label="User"
      description={data?.hasMore === true ? "There are more users than fit here. Type a part of the name, email or number." : "Search by email, name or number"}
      placeholder="Choose a user"
      error={error}
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Clear user" }}
      data={users.map(({ _id, email }) => ({ value: _id, label: email }))}
      // The server has searched already, in more than the e-mail.
      filter={({ options }) => options}
      renderOption={({ option }) => <CustomerOption user={users.find(({ _id }) => _id === option.value)} />}
      nothingFoundMessage={failure === null ? (isPending ? "Loading..." : "No user matches") : failure instanceof ApiError ? failure.message : networkLost.title}
      // In the page's main part, and the list itself scrolls: otherwise screen readers meet it outside any landmark.
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      classNames={{ options: classes.options ?? "" }}
      value={value?._id ?? null}
      onChange={(id) => onChange(users.find(({ _id }) => _id === id))}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
    />
  );
}

function CustomerOption({ user }: { user: UserAnswer | undefined }) {
  if (user === undefined) return null;
  return (
    <span className={classes.option}>
      <span>{user.email}</span>
      <span className={classes.name}>
        {user.fullName}
        {user.blocked && ", blocked"}
      </span>
    </span>
  );
}
