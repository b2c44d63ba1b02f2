import { Badge } from "@mantine/core";
import type { SendingAnswer } from "@ewebal/contract";
import { carrierCalls } from "@ewebal/contract/calls";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { FactTable } from "../../../ui/kit/fact-table.tsx";
import { Fold } from "../../../ui/kit/fold.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { goodShare, stateOf } from "../carriers/carrier-words.ts";
import {
  carrierRemedies,
  queueRemedies,
  queueStateOf,
  workerRemedies,
  workerStateOf,
  type Remedy,
} from "./state-words.ts";
import classes from "./alarms-page.module.css";

/** Workers push how their carriers do. That none is left to push is found by asking. */
const UNPUSHED_MS = 15_000;

/** How the queue, the workers and each carrier do now, what that means, and what to do about it. */
export function StatesPanel() {
  const query = useQuery({
    queryKey: ["carriers", "sending"],
    queryFn: async ({ signal }) => (await call(carrierCalls.viewSending, { signal })).data,
    refetchInterval: UNPUSHED_MS,
  });
  return (
    <Panel
      title="Queue, workers and carriers"
      aside={
        <Inline gap={16}>
          <TextLink to={paths.manageSms}>All Messages</TextLink>
          <TextLink to={paths.adminCarriers}>Carriers</TextLink>
        </Inline>
      }
    >
      <ListStates
        query={query}
        rowCount={query.data === undefined ? 0 : 1}
        empty={{ title: "There are no carriers" }}
        skeletonRows={3}
      >
        {query.data !== undefined && <States sending={query.data} nowMs={query.dataUpdatedAt} />}
      </ListStates>
      <div className="above-16">
        <Fold label="All states and what to do">
          <Stack gap={16} above={12}>
            <RemedyTable caption="Queue" remedies={queueRemedies} />
            <RemedyTable caption="Workers" remedies={workerRemedies} />
            <RemedyTable caption="Carriers" remedies={carrierRemedies} />
          </Stack>
        </Fold>
      </div>
    </Panel>
  );
}

function States({ sending, nowMs }: { sending: SendingAnswer; nowMs: number }) {
  const { waitingRecipients, waitingSince, workers, carriers } = sending;
  const queue = queueStateOf(sending, nowMs);
  const worker = workerStateOf(workers);
  return (
    <Stack as="ul" divided={12} aria-label="States now">
      <StateRow name="Queue" {...queue} remedy={queueRemedies[queue.word]}>
        {formatCounted(waitingRecipients, "recipient")} waiting
        {waitingSince !== null && (
          <>
            , the oldest since <RelativeTime iso={waitingSince} />
          </>
        )}
      </StateRow>
      <StateRow name="Workers" {...worker} remedy={workerRemedies[worker.word]}>
        {workers.length === 0 ? "None was seen in the last 15 seconds" : <Workers workers={workers} />}
      </StateRow>
      {carriers.map((carrier) => {
        const state = stateOf(carrier);
        return (
          <StateRow key={carrier.name} name={carrier.name} {...state} remedy={carrierRemedies[state.word]}>
            <CarrierFigures carrier={carrier} />
          </StateRow>
        );
      })}
      {carriers.length === 0 && (
        <StateRow
          name="Carriers"
          word="None"
          color="red"
          remedy={{ means: "Messages wait: nothing carries them.", toDo: "Add a carrier on the Carriers page." }}
        />
      )}
    </Stack>
  );
}

type StateRowProps = { name: string; word: string; color: string; remedy: Remedy; children?: ReactNode };

function StateRow({ name, word, color, remedy: { means, toDo }, children }: StateRowProps) {
  const isWell = color === "green";
  return (
    <Inline as="li" gap={8} across={16} align="start" justify="between" className={classes.row}>
      <div className="shrinkable anywhere">
        <p className="strong">{name}</p>
        {children !== undefined && <p className="muted small numeric">{children}</p>}
        <p className="small">{isWell ? means : `${means} ${toDo}`}</p>
      </div>
      <Badge miw="max-content" variant="light" color={color}>
        {word}
      </Badge>
    </Inline>
  );
}

function Workers({ workers }: { workers: SendingAnswer["workers"] }) {
  return workers.map(({ host, startedAt, diskFreePercent }, index) => (
    <span key={`${host} ${startedAt}`}>
      {index > 0 && "; "}
      {host}, started <RelativeTime iso={startedAt} />
      {diskFreePercent !== null && `, ${diskFreePercent}% of its disk free`}
    </span>
  ));
}

function CarrierFigures({ carrier }: { carrier: SendingAnswer["carriers"][number] }) {
  const { health, messagesPerSecond } = carrier;
  return (
    <>
      {`${formatCount(Math.round(health.messagesPerSecond))} of ${formatCount(messagesPerSecond)} a second, `}
      {health.goodCount + health.badCount === 0 ? "no answers in 15 minutes" : `${goodShare(health)} answers good`}
      {health.link === "connecting" && health.since !== null && (
        <>
          , down since <RelativeTime iso={health.since} />
        </>
      )}
      {health.lastError !== null && `. Last error: ${health.lastError}`}
    </>
  );
}

function RemedyTable({ caption, remedies }: { caption: string; remedies: Readonly<Record<string, Remedy>> }) {
  const rows = Object.entries(remedies).map(([word, { means, toDo }]) => [word, `${means} ${toDo}`]);
  return <FactTable caption={caption} heads={["State", "What it means and what to do"]} rows={rows} />;
}
