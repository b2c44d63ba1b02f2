import { Badge, Button } from "@mantine/core";
import type { AlarmAnswer } from "@ewebal/contract";
import { alarmWords } from "@ewebal/contract/rules";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatDateTime } from "../../../lib/texts/format.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { useAlarms } from "./alarm-queries.ts";
import { StatesPanel } from "./states-panel.tsx";
import classes from "./alarms-page.module.css";

/** Few people silence an alarm; the form comes when somebody does. */
const SilenceDialog = lazy(async () => ({ default: (await import("./silence-dialog.tsx")).SilenceDialog }));

/** What needs an operator now, how each part does, and what was wrong of late; each with what to do. */
export function AlarmsPage() {
  return (
    <Page
      title="Alarms"
      intro="What needs you now, and how each part is doing. Alarms open and close by themselves, within a minute."
    >
      <OpenPanel />
      <StatesPanel />
      <ClosedPanel />
    </Page>
  );
}

function OpenPanel() {
  const { adminId } = useSession();
  const { query, rows } = useAlarms("open");
  const [silenced, setSilenced] = useState<AlarmAnswer>();
  return (
    <Panel title="Open alarms">
      <ListStates
        query={query}
        rowCount={rows.length}
        empty={{ title: "No alarm is open", text: "Whatever needs you appears here automatically." }}
        skeletonRows={2}
      >
        <Stack as="ul" divided={16} aria-label="Open alarms">
          {rows.map((alarm) => (
            <OpenAlarm key={alarm._id} alarm={alarm} onSilence={() => setSilenced(alarm)} />
          ))}
        </Stack>
        <ShowMore list={{ query, rows }} />
      </ListStates>
      {adminId !== null && silenced !== undefined && (
        <Suspense>
          <SilenceDialog
            adminId={adminId}
            alarm={silenced}
            name={nameOf(silenced)}
            onClose={() => setSilenced(undefined)}
          />
        </Suspense>
      )}
    </Panel>
  );
}

function OpenAlarm({ alarm, onSilence }: { alarm: AlarmAnswer; onSilence: () => void }) {
  const { kind, detail, state, openedAt, silencedUntil } = alarm;
  const name = nameOf(alarm);
  const place = places[kind];
  return (
    <Inline as="li" gap={12} across={16} wraps align="start" justify="between">
      <Stack gap={4} className={`${classes.words} shrinkable anywhere`}>
        <Inline gap={4} across={8} wraps align="center">
          <h3 className={classes.name}>{name}</h3>
          <Badge miw="max-content" variant="light" color={state === "silenced" ? "gray" : "red"}>
            {state === "silenced" ? "Silenced" : "Open"}
          </Badge>
        </Inline>
        <p>{withoutTimes(detail)}</p>
        <p>
          <span className="strong">What to do:</span> {alarmWords[kind].advice}
        </p>
        <p className="muted small">
          Since <RelativeTime iso={openedAt} />
          {state === "silenced" && silencedUntil !== null && `, silenced until ${formatDateTime(silencedUntil)}`}
        </p>
      </Stack>
      <div className={classes.acts}>
        {place !== undefined && (
          <ButtonLink to={place.to} variant="default" aria-label={`${place.label}: ${name}`}>
            {place.label}
          </ButtonLink>
        )}
        <Button variant="default" aria-label={`Silence: ${name}`} onClick={onSilence}>
          {state === "silenced" ? "Change" : "Silence"}
        </Button>
      </div>
    </Inline>
  );
}

function ClosedPanel() {
  const { query, rows } = useAlarms("closed");
  return (
    <Panel title="Closed alarms">
      <ListStates
        query={query}
        rowCount={rows.length}
        empty={{ title: "There are no closed alarms", text: "Alarms that are over stay here for 400 days." }}
        skeletonRows={2}
      >
        <Stack as="ul" divided={12} aria-label="Closed alarms">
          {rows.map((alarm) => (
            <li key={alarm._id} className="anywhere">
              <p className="strong">{nameOf(alarm)}</p>
              <p className="small">{withoutTimes(alarm.detail)}</p>
              <p className="muted small">{closedInWords(alarm)}</p>
            </li>
          ))}
        </Stack>
        <ShowMore list={{ query, rows }} />
      </ListStates>
    </Panel>
  );
}

function closedInWords({ openedAt, closedAt }: AlarmAnswer): ReactNode {
  return (
    <>
      {`${formatDateTime(openedAt)}, closed `}
      {closedAt !== null && <RelativeTime iso={closedAt} />}
    </>
  );
}

/** `A carrier is down: Acme`. */
function nameOf({ kind, subject }: AlarmAnswer): string {
  const { title } = alarmWords[kind];
  const name = `${title.slice(0, 1).toUpperCase()}${title.slice(1)}`;
  return subject === "" ? name : `${name}: ${subject}`;
}

/** Mails write times as programs do; people read them in their own zone. */
function withoutTimes(detail: string): string {
  return detail.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => formatDateTime(iso));
}

/** Where somebody goes about it; the others are mended outside of these pages. */
const places: Partial<Record<AlarmAnswer["kind"], { to: string; label: string }>> = {
  "carrier-down": { to: paths.adminCarriers, label: "Carriers" },
  "queue-old": { to: paths.manageSms, label: "All Messages" },
  "ledger-violated": { to: paths.auditLog, label: "Audit log" },
  "database-unreachable": { to: paths.manageSms, label: "All Messages" },
};
