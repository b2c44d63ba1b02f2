import { Badge } from "@mantine/core";
import type { SendingAnswer } from "@ewebal/contract";
import { carrierCalls } from "@ewebal/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { TextLink } from "../../../ui/kit/links.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { goodShare, stateOf } from "../carriers/carrier-words.ts";
import classes from "./overview-page.module.css";

/** Workers push how their carriers do. When none is left to push, the queue grows unseen: this asks all the same. */
const UNPUSHED_MS = 15_000;

/** What is on its way to the carriers: how much waits, the pace now, and how each carrier does. */
export function SendingPanel() {
  const query = useQuery({
    queryKey: ["carriers", "sending"],
    queryFn: async ({ signal }) => (await call(carrierCalls.viewSending, { signal })).data,
    refetchInterval: UNPUSHED_MS,
  });
  return (
    <Panel title="Sending now" aside={<TextLink to={paths.adminCarriers}>Carriers</TextLink>}>
      <ListStates
        query={query}
        rowCount={query.data === undefined ? 0 : 1}
        empty={{ title: "There are no carriers" }}
        skeletonRows={2}
      >
        {query.data !== undefined && <Sending sending={query.data} />}
      </ListStates>
    </Panel>
  );
}

function Sending({ sending: { waitingRecipients, carriers } }: { sending: SendingAnswer }) {
  const pace = carriers.reduce((sum, { health }) => sum + health.messagesPerSecond, 0);
  return (
    <Stack gap={12}>
      <dl className={classes.now}>
        <div>
          <dt>Recipients waiting</dt>
          <dd className="numeric">{formatCount(waitingRecipients)}</dd>
        </div>
        <div>
          <dt>Sent a second</dt>
          <dd className="numeric">{formatCount(Math.round(pace))}</dd>
        </div>
      </dl>
      {carriers.length === 0 && <p className="tone-error small">There is no carrier: messages wait.</p>}
      <Stack as="ul" divided={12} aria-label="Carriers now">
        {carriers.map((carrier) => (
          <CarrierRow key={carrier.name} carrier={carrier} />
        ))}
      </Stack>
    </Stack>
  );
}

function CarrierRow({ carrier }: { carrier: SendingAnswer["carriers"][number] }) {
  const { name, messagesPerSecond, health } = carrier;
  const { word, color } = stateOf(carrier);
  return (
    <Inline as="li" gap={8} across={16} align="center" justify="between" className={classes.row}>
      <div className="shrinkable">
        <p className="strong">{name}</p>
        <p className="muted small numeric">
          {`${formatCount(Math.round(health.messagesPerSecond))} of ${formatCount(messagesPerSecond)} a second, `}
          {failuresInWords(carrier)}
        </p>
        {health.link === "connecting" && health.since !== null && (
          <p className="tone-error small">
            Down since <RelativeTime iso={health.since} />
            {health.lastError !== null && `: ${health.lastError}`}
          </p>
        )}
      </div>
      <Badge miw="max-content" variant="light" color={color}>
        {word}
      </Badge>
    </Inline>
  );
}

/** Of the last 15 minutes: what the carrier answered badly, late or not at all. */
function failuresInWords({ health }: SendingAnswer["carriers"][number]): string {
  if (health.goodCount + health.badCount === 0) return "no answers in 15 minutes";
  if (health.badCount === 0) return "no failures in 15 minutes";
  return `${formatCount(health.badCount)} failed in 15 minutes (${goodShare(health)} good)`;
}
