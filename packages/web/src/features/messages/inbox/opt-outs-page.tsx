import { Button } from "@mantine/core";
import type { OptOutAnswer, OptOutSource } from "@ewebal/contract";
import { optOutCalls } from "@ewebal/contract/calls";
import { DEFAULT_COUNTRY_CODE, limits } from "@ewebal/contract/rules";
import { IconDownload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call, fillAddress } from "../../../lib/api/api.ts";
import { upload } from "../../../lib/api/upload.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { cleanNumbers } from "../../../shared/numbers/clean-numbers.ts";
import { NumbersField } from "../../../shared/numbers/numbers-field.tsx";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

const listKey = ["opt-outs"] as const;
const SEARCH_DIGITS_MAX = 15;

const sourceWords: Record<OptOutSource, string> = {
  sms: "Wrote STOP",
  link: "Opened the link",
  page: "Added here",
  api: "Added by a program",
  import: "Imported",
};

/** Who wants no more messages: the list, adding to it, and a file in and out. */
export function OptOutsPage() {
  const { userId } = useSession();
  return (
    <Page
      title="Opt-outs"
      intro="You never send to these numbers, and never pay for them. Who writes STOP to your number comes onto the list, who writes START leaves it."
    >
      {userId !== null && (
        <>
          <Columns shares="3 to 2">
            <AddPanel userId={userId} />
            <ImportPanel userId={userId} />
          </Columns>
          <ListPanel userId={userId} />
        </>
      )}
    </Page>
  );
}

function AddPanel({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { phoneNo: "" },
    missing: ({ phoneNo }) => (/[0-9]/.test(phoneNo) ? [] : ["numbers"]),
    send: async ({ phoneNo }) => {
      const { message, data } = await call(optOutCalls.addOptOuts, { params: { userId }, body: { phoneNo } });
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
          description="Include the country code; a leading 0 means Nigeria. Separate numbers with commas."
          code={DEFAULT_COUNTRY_CODE}
          value={form.values.phoneNo}
          onValue={(text) => form.set("phoneNo", text)}
          onList={(text) => {
            const cleaned = cleanNumbers(text, DEFAULT_COUNTRY_CODE);
            if (cleaned.length <= limits.dndBodyCharactersMax) form.set("phoneNo", cleaned);
            else form.setError("phoneNo", "These are too many numbers for one time. Import them as a file");
          }}
          rows={4}
          error={form.field("phoneNo").error}
        />
        <Refusal screen="service" error={form.refusal} />
        <div data-least="sender">
          <SubmitButton missing={form.missing} isSending={form.isSending}>
            Add to the list
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}

function ImportPanel({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const [error, setError] = useState<string>();
  const send = async (file: File): Promise<void> => {
    setError(undefined);
    const form = new FormData();
    form.set("code", DEFAULT_COUNTRY_CODE);
    form.set("csv", file);
    try {
      const { message, data } = await upload(optOutCalls.importOptOuts, { params: { userId }, form });
      const known = data.existing === 0 ? {} : { text: `${formatCount(data.existing)} were already on the list` };
      showNotice({ title: message, ...known });
    } catch (caught) {
      const named = caught instanceof ApiError ? caught.fields?.["csv"] : undefined;
      setError(named === undefined ? (caught instanceof Error ? caught.message : "") : `The file ${named}`);
    }
    await queryClient.invalidateQueries({ queryKey: listKey });
  };
  return (
    <Panel title="Import and export">
      <FileDrop
        label="Choose a CSV file"
        accept=".csv,text/csv"
        onFile={(file) => void send(file)}
        hint="Nigerian numbers, one in each row."
        error={error}
        isSmall
      />
      <p className="above-12">
        <Button
          size="sm"
          variant="default"
          component="a"
          href={fillAddress(optOutCalls.optOuts.url, { userId }, { format: "csv" })}
          download
          leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
        >
          Export CSV
        </Button>
      </p>
    </Panel>
  );
}

function ListPanel({ userId }: { userId: string }) {
  const filters = useAddressFilters(["search"]);
  const { search } = filters.values;
  const list = useCursorList<OptOutAnswer>({
    queryKey: [...listKey, search],
    read: async (after, signal) =>
      await call(optOutCalls.optOuts, {
        params: { userId },
        query: { search, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const remove = useRemove(userId);
  const columns: Column<OptOutAnswer>[] = [
    { title: "Number", isHeading: true, cell: ({ phoneNo }) => <span className="numeric">{`+${phoneNo}`}</span> },
    { title: "How", cell: ({ source }) => sourceWords[source] },
    { title: "Since", cell: ({ createdAt }) => <RelativeTime iso={createdAt} />, width: "24%" },
    {
      title: "Remove",
      isActions: true,
      width: "16%",
      cell: ({ phoneNo }) => (
        <Button
          data-least="sender"
          size="xs"
          variant="default"
          aria-label={`Remove +${phoneNo}`}
          onClick={() => void remove(phoneNo)}
        >
          Remove
        </Button>
      ),
    },
  ];
  return (
    <Panel title="Numbers that opted out">
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
        empty={{ title: "Nobody has opted out", text: "Numbers of people who want no more messages appear here." }}
        onClearFilters={filters.isAnyOn ? filters.clear : undefined}
      >
        <DataTable
          caption="Numbers that opted out"
          columns={columns}
          rows={list.rows}
          rowKey={({ phoneNo }) => phoneNo}
        />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

function useRemove(userId: string): (phoneNo: string) => Promise<void> {
  const queryClient = useQueryClient();
  return async (phoneNo) => {
    const text = "Your messages to this number will be sent and charged again. Do this only when its owner asked you.";
    if (!(await confirm({ title: `About to take +${phoneNo} off the list?`, text }))) return;
    try {
      const { message } = await call(optOutCalls.removeOptOuts, { params: { userId }, body: { phoneNo } });
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
