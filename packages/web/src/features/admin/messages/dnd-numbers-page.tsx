import { Button } from "@mantine/core";
import type { DndNumberAnswer } from "@ewebal/contract";
import { dndCalls } from "@ewebal/contract/calls";
import { DEFAULT_COUNTRY_CODE, limits } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useCurrentAdmin } from "../../../shared/account/current-admin.ts";
import { call } from "../../../lib/api/api.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { cleanNumbers } from "../../../shared/numbers/clean-numbers.ts";
import { NumbersField } from "../../../shared/numbers/numbers-field.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";

const EraseNumberDialog = lazy(async () => ({
  default: (await import("./erase-number-dialog.tsx")).EraseNumberDialog,
}));

const listKey = ["admin", "dnd-numbers"] as const;
const SEARCH_DIGITS_MAX = 15;
/** What one call takes of the longest numbers, each with its comma and line end. */
const NUMBERS_AT_ONCE_MAX = Math.floor(limits.dndBodyCharactersMax / (SEARCH_DIGITS_MAX + 2));

/**
 * Numbers whose owners refuse bulk messages: the list with who added each, and the forms that add and remove numbers.
 */
export function DndNumbersPage() {
  const { adminId } = useSession();
  const { data: admin } = useCurrentAdmin();
  const [isErasing, setErasing] = useState(false);
  const actions = (admin?.role === "owner" || admin?.role === "admin") && (
    <Button variant="default" onClick={() => setErasing(true)}>
      Erase a number
    </Button>
  );
  return (
    <Page
      title="DND list"
      actions={actions}
      intro="Messages to these numbers are not sent and not charged, whoever the sender is. Carriers' delivery reports add numbers too."
    >
      {adminId !== null && (
        <Columns shares="2 to 3">
          <AddPanel adminId={adminId} />
          <ListPanel adminId={adminId} />
        </Columns>
      )}
      {adminId !== null && isErasing && (
        <Suspense fallback={null}>
          <EraseNumberDialog adminId={adminId} opened onClose={() => setErasing(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function AddPanel({ adminId }: { adminId: string }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { phoneNo: "" },
    missing: ({ phoneNo }) => (/[0-9]/.test(phoneNo) ? [] : ["numbers"]),
    send: async ({ phoneNo }) => {
      const { message, data } = await call(dndCalls.addDndNumbers, { params: { adminId }, body: { phoneNo } });
      const known = data.existing === 0 ? {} : { text: `${formatCount(data.existing)} were already on the list` };
      showNotice({ title: message, ...known });
      form.set("phoneNo", "");
      await queryClient.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <Panel title="Add numbers">
      <Form form={form}>
        <NumbersField
          name="phoneNo"
          label="Numbers"
          description="Include the country code; a leading 0 means Nigeria. Separate numbers with commas or line breaks."
          placeholder="08030000001, 2348050000002"
          code={DEFAULT_COUNTRY_CODE}
          value={form.values.phoneNo}
          onValue={(text) => form.set("phoneNo", text)}
          onList={(text) => {
            const cleaned = cleanNumbers(text, DEFAULT_COUNTRY_CODE);
            if (cleaned.length <= limits.dndBodyCharactersMax) form.set("phoneNo", cleaned);
            else form.setError("phoneNo", `Add at most ${formatCount(NUMBERS_AT_ONCE_MAX)} numbers at a time`);
          }}
          isOnePerLine
          rows={6}
          error={form.field("phoneNo").error}
        />
        <Refusal screen="service" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Add to the list
        </SubmitButton>
      </Form>
    </Panel>
  );
}

function ListPanel({ adminId }: { adminId: string }) {
  const filters = useAddressFilters(["search"]);
  const { search } = filters.values;
  const list = useCursorList<DndNumberAnswer>({
    queryKey: [...listKey, search],
    read: async (after, signal) =>
      await call(dndCalls.viewDndNumbers, { query: { search, ...(after !== undefined && { after }) }, signal }),
  });
  const remove = useRemove(adminId);
  const columns: Column<DndNumberAnswer>[] = [
    { title: "Number", isHeading: true, cell: ({ phoneNo }) => <span className="numeric">{`+${phoneNo}`}</span> },
    { title: "Added by", cell: ({ source }) => (source === "admin" ? "An administrator" : `Reported by ${source}`) },
    { title: "Added", cell: ({ createdAt }) => <RelativeTime iso={createdAt} />, width: "24%" },
    {
      title: "Remove",
      isActions: true,
      width: "16%",
      cell: ({ phoneNo }) => (
        <Button size="xs" variant="default" aria-label={`Remove +${phoneNo}`} onClick={() => void remove(phoneNo)}>
          Remove
        </Button>
      ),
    },
  ];
  return (
    <Panel title="Numbers on the list">
      <ListTools
        search={
          <SearchField
            label="Search by number"
            value={search}
            inputMode="numeric"
            keep={(text) => text.replaceAll(/[^0-9]/g, "").slice(0, SEARCH_DIGITS_MAX)}
            onSearch={(text) => filters.set({ search: text })}
          />
        }
      />
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{
          title: "There are no numbers on the list",
          text: "Add numbers whose owners asked you. Carriers' reports add numbers automatically.",
        }}
        onClearFilters={filters.isAnyOn ? filters.clear : undefined}
      >
        <DataTable
          caption="Numbers on the do-not-disturb list"
          columns={columns}
          rows={list.rows}
          rowKey={({ phoneNo }) => phoneNo}
        />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

function useRemove(adminId: string): (phoneNo: string) => Promise<void> {
  const queryClient = useQueryClient();
  return async (phoneNo) => {
    const text = "Messages to this number will be sent and charged again.";
    if (!(await confirm({ title: `About to remove +${phoneNo} from the DND list?`, text }))) return;
    try {
      const { message } = await call(dndCalls.removeDndNumbers, { params: { adminId }, body: { phoneNo } });
      showNotice({ title: message });
    } catch (error) {
      showNotice({
        tone: "error",
        title: "Unable to remove the number",
        text: error instanceof Error ? error.message : "",
      });
    }
    await queryClient.invalidateQueries({ queryKey: listKey });
  };
}
