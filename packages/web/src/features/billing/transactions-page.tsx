import { paths } from "../../lib/paths.ts";
import { useSession } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/kit/links.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { PaymentsPanel } from "./card-payments/payments-panel.tsx";
import { InvoicesPanel } from "./invoices-panel.tsx";
import { SegmentedControl } from "@mantine/core";
import type { DepositAnswer } from "@ewebal/contract";
import { depositCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { fixedTexts } from "../../lib/texts/fixed-texts.ts";
import { depositStateLabels, readDepositState } from "../../shared/billing/deposits.ts";
import { useAddressFilters } from "../../lib/browser/use-address-filters.ts";
import { ListStates } from "../../ui/lists/list-states.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { SearchField } from "../../ui/forms/search-field.tsx";
import { Stack } from "../../ui/layout/boxes.tsx";
import { ShowMore } from "../../ui/lists/show-more.tsx";
import { call } from "../../lib/api/api.ts";
import { explainError } from "../../lib/texts/catalogue-texts.ts";
import { useCursorList, type CursorList } from "../../lib/api/use-cursor-list.ts";
import { confirm } from "../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../ui/feedback/notices.tsx";
import { DepositCard } from "./deposits/deposit-card.tsx";
import classes from "./deposits/deposit-list.module.css";

/** The customer's deposits and card payments. */
export function TransactionsPage() {
  const { userId } = useSession();
  return (
    <Page
      title="Transactions History"
      intro="Your bank deposits and card payments, with their status."
      actions={
        <ButtonLink to={paths.buySms} data-least="owner">
          Buy SMS
        </ButtonLink>
      }
    >
      {userId !== null && <DepositsPanel userId={userId} />}
      <PaymentsPanel />
      {userId !== null && <InvoicesPanel userId={userId} />}
    </Page>
  );
}

const states = [
  { value: "", label: "All" },
  ...(["pending", "verified", "declined"] as const).map((state) => ({
    value: state,
    label: depositStateLabels[state],
  })),
];

/** The customer's bank deposits as a grid of cards. */
function DepositsPanel({ userId }: { userId: string }) {
  const filters = useAddressFilters(["search", "state"]);
  const { search, state } = filters.values;
  const list = useDeposits(userId, filters.values);
  const remove = useDeleteDeposit(userId);
  const empty = {
    title: fixedTexts.noTransactions,
    text: "Deposits you report appear here with their receipt and status.",
    action: (
      <ButtonLink to={paths.buySms} data-least="owner">
        Buy SMS units
      </ButtonLink>
    ),
  };
  return (
    <Panel title="Bank deposits">
      <Stack gap={12} below={20} className={classes.filters}>
        <SearchField
          label="Search depositor, teller ID or phone"
          value={search}
          onSearch={(text) => filters.set({ search: text })}
        />
        <SegmentedControl
          aria-label="Which deposits"
          withItemsBorders={false}
          data={states}
          value={states.some(({ value }) => value === state) ? state : ""}
          onChange={(value) => filters.set({ state: value })}
        />
      </Stack>
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={empty}
        onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        skeletonRows={3}
      >
        <Stack as="ul" gap={16} className={classes.grid} aria-label="Bank deposits">
          {list.rows.map((deposit) => (
            <DepositCard key={deposit._id} deposit={deposit} onDelete={remove} />
          ))}
        </Stack>
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

/** A customer's own deposits. Key `["transfers", ...]`: the event topic "transfers" refreshes it. */
function useDeposits(userId: string, filters: { search: string; state: string }): CursorList<DepositAnswer> {
  const { search } = filters;
  const state = readDepositState(filters.state);
  return useCursorList({
    queryKey: ["transfers", userId, search, state],
    read: async (after, signal) =>
      await call(depositCalls.userTransferDetails, { params: { userId }, query: { search, state, after }, signal }),
  });
}

/** Asks, deletes the deposit and shows the result. */
function useDeleteDeposit(userId: string): (deposit: DepositAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  return async (deposit) => {
    const isPending = !deposit.verified && !deposit.declined;
    const text = isPending
      ? "This withdraws the deposit. We won't check it or add units for it."
      : "This removes it from your list. You keep any units that were added.";
    if (!(await confirm({ title: "About to delete transaction?", text }))) return;
    try {
      await call(depositCalls.deleteDetails, { params: { userId, transferId: deposit._id } });
      showNotice({ title: fixedTexts.deleted });
    } catch (error) {
      showNotice(explainError("transferDelete", error));
    }
    // The page may show old data, most likely after a failed delete, so everything on it is read again.
    await queryClient.invalidateQueries();
  };
}
