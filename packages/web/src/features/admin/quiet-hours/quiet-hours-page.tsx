import { Button } from "@mantine/core";
import type { AuditEntryAnswer, DeferredAnswer, QuietHoursAnswer } from "@ewebal/contract";
import { nameCode } from "@ewebal/contract/rules";
import { useState } from "react";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatCounted } from "../../../lib/texts/format.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { hoursInWords, stateInWords } from "./hours-words.ts";
import { QuietHoursDialog } from "./quiet-hours-dialog.tsx";
import { useDeferred, useLastChanges, useQuietHours, useRemoveQuietHours } from "./quiet-hours-queries.ts";

/** When promotional messages to each country may leave, what waits for that now, and who changed it. */
export function QuietHoursPage() {
  const { adminId } = useSession();
  const query = useQuietHours();
  const rows = query.data ?? [];
  const deferred = useDeferred();
  const [edited, setEdited] = useState<{ hours: QuietHoursAnswer | undefined }>();
  return (
    <Page
      title="Quiet hours"
      intro="Promotional messages to these countries leave only within the hours below. What is accepted outside them waits and goes on by itself. Transactional messages and replies leave at any time."
      actions={<Button onClick={() => setEdited({ hours: undefined })}>Set hours</Button>}
    >
      <Panel
        title="Hours by country"
        aside={
          <TextLink to={paths.auditLog} search={{ kind: "sending" }}>
            Earlier changes
          </TextLink>
        }
      >
        <ListStates
          // The hours appear together with whether they hold, so that the callout never pushes them down.
          query={deferred.isPending ? deferred : query}
          rowCount={deferred.isPending ? 0 : rows.length}
          empty={{ title: "No country has quiet hours", text: "Messages to all countries leave at any time." }}
          skeletonRows={2}
        >
          <Stack gap={16}>
            {deferred.data?.isOn === false && (
              <Callout tone="warn" title="No hours hold now">
                QUIET_HOURS is off in the configuration, so messages leave at any time.
              </Callout>
            )}
            <HoursTable rows={rows} onEdit={(hours) => setEdited({ hours })} />
          </Stack>
          <p className="above-12 muted">Messages to all other countries leave at any time.</p>
        </ListStates>
      </Panel>
      {adminId !== null && (
        <QuietHoursDialog
          adminId={adminId}
          edited={edited}
          taken={rows.map(({ code }) => code)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

type HoursTableProps = {
  rows: readonly QuietHoursAnswer[];
  onEdit: (hours: QuietHoursAnswer) => void;
};

function HoursTable({ rows, onEdit }: HoursTableProps) {
  const { data: deferred, dataUpdatedAt: nowMs } = useDeferred();
  const changes = useLastChanges();
  const remove = useRemoveQuietHours();
  const columns: Column<QuietHoursAnswer>[] = [
    { title: "Country", isHeading: true, cell: ({ code }) => countryOf(code) },
    {
      title: "Messages leave",
      cell: (hours) => (
        <div>
          <span className="numeric">{hoursInWords(hours)}</span>
          <div className="muted small">{hours.timeZone}</div>
        </div>
      ),
    },
    {
      title: "Now",
      cell: (hours) => (deferred?.isOn === true ? stateInWords(hours, nowMs) : "–"),
      width: "18%",
    },
    {
      title: "Waiting",
      cell: ({ code }) => <Waiting counts={deferred?.codes.find((one) => one.code === code)} />,
      width: "16%",
    },
    {
      title: "Changed",
      cell: ({ _id }) => <Change entry={changes?.find(({ subjectID }) => subjectID === _id)} />,
      width: "14%",
    },
    {
      title: "Change",
      isActions: true,
      cell: (hours) => (
        <Inline gap={8}>
          <Button
            size="xs"
            variant="default"
            aria-label={`Edit the hours of ${countryOf(hours.code)}`}
            onClick={() => onEdit(hours)}
          >
            Edit
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Remove the hours of ${countryOf(hours.code)}`}
            onClick={() => remove(hours)}
          >
            Remove
          </Button>
        </Inline>
      ),
    },
  ];
  return <DataTable caption="Quiet hours by country" columns={columns} rows={rows} rowKey={({ _id }) => _id} />;
}

function Waiting({ counts }: { counts: DeferredAnswer | undefined }) {
  if (counts === undefined) return <span className="muted">Nothing</span>;
  return (
    <div className="numeric">
      {formatCounted(counts.messages, "message")}
      <div className="muted small">{formatCounted(counts.recipients, "recipient")}</div>
    </div>
  );
}

/** Who set the hours last; unknown for the hours that a new installation has. */
function Change({ entry }: { entry: AuditEntryAnswer | undefined }) {
  if (entry === undefined) return <span className="muted">–</span>;
  return (
    <div>
      {entry.adminName}
      <div className="muted small">
        <RelativeTime iso={entry.createdAt} />
      </div>
    </div>
  );
}

function countryOf(code: string): string {
  const [name = ""] = nameCode(code);
  return name === "" ? `+${code}` : `${name} (+${code})`;
}
