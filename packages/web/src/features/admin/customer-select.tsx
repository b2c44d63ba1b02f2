import type { UserAnswer } from "@ewebal/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SearchSelect, useTypedSearch } from "../../ui/forms/search-select.tsx";
import { Email } from "../../ui/kit/email.tsx";
import { customerSearchQuery } from "./customers.ts";

type CustomerSelectProps = {
  value: UserAnswer | undefined;
  onChange: (user: UserAnswer | undefined) => void;
  error?: string | undefined;
  /** Among the filters of a list: as low as they are, and without a line below it. */
  isFilter?: boolean;
};

/** Chooses a customer by e-mail. */
export function CustomerSelect({ value, onChange, error, isFilter = false }: CustomerSelectProps) {
  const [isOpen, setOpen] = useState(false);
  const typed = useTypedSearch(value?.email);
  const query = useQuery({ ...customerSearchQuery(typed.search), enabled: isOpen, placeholderData: keepPreviousData });
  return (
    <SearchSelect
      label="User"
      {...(isFilter
        ? { size: "sm", placeholder: "All users" }
        : {
            description:
              query.data?.hasMore === true
                ? "Not all users are shown. Type part of a name, email or number."
                : "Search by email, name or number",
            placeholder: "Choose a user",
          })}
      error={error}
      search={typed}
      query={query}
      found={query.data?.users ?? []}
      nothing="No user matches"
      nameOf={({ email }) => email}
      viewOf={({ email }) => <Email email={email} />}
      detailOf={({ fullName, blocked }) => `${fullName}${blocked ? ", blocked" : ""}`}
      value={value}
      onChange={onChange}
      clearLabel="Clear user"
      onOpenChange={setOpen}
    />
  );
}
