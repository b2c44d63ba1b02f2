import type { RateEditAnswer, RateEditState } from "@ewebal/contract";
import { rateCalls } from "@ewebal/contract/calls";
import { call } from "../../../lib/api/api.ts";
import { formatDateTime, formatRate } from "../../../lib/texts/format.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { classInWords } from "./admin-rates.ts";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

const stateWords: Readonly<Record<RateEditState, string>> = {
  planned: "Planned",
  current: "Current",
  past: "Past",
  withdrawn: "Withdrawn",
};

const columns: Column<RateEditAnswer>[] = [
  { title: "Country", isHeading: true, cell: ({ country, code }) => `${country} (+${code})` },
  {
    title: "Rate",
    isNumeric: true,
    cell: (edit) => `${edit.rate === null ? "Standard rate" : formatRate(edit.rate)}${classInWords(edit)}`,
    width: "18%",
  },
  { title: "From", cell: ({ from }) => formatDateTime(from), width: "20%" },
  { title: "State", cell: ({ state }) => stateWords[state], width: "13%" },
  { title: "Changed by", cell: ({ adminName }) => adminName, width: "14%" },
  { title: "On", cell: ({ createdAt }) => formatDateTime(createdAt), width: "18%" },
];

/** Every change of a rate, and who made it. */
export function RateHistoryPanel() {
  const list = useCursorList<RateEditAnswer>({
    queryKey: ["rates", "edits"],
    read: async (after, signal) =>
      await call(rateCalls.viewRateEdits, { query: after === undefined ? {} : { after }, signal }),
  });
  return (
    <Panel title="History">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{ title: "No rates have been changed yet", text: "All rates are the standard ones." }}
        skeletonRows={3}
      >
        <DataTable caption="Changes of rates" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}
