import { Button, Badge } from "@mantine/core";
import type { CarrierAnswer } from "@ewebal/contract";
import { httpPresets } from "@ewebal/contract/rules";
import { useState, type ReactNode } from "react";
import { useSession } from "../../../lib/session/session.ts";
import { Stack, Inline } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { CarrierDialog } from "./carrier-dialog.tsx";
import { goodShare, stateOf } from "./carrier-words.ts";
import { useCarrierActs, useCarriers } from "./use-carriers.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import classes from "./carriers-page.module.css";

/** The carriers with their health now, and the actions on them. */
export function CarriersPage() {
  const { adminId } = useSession();
  const query = useCarriers();
  const carriers = query.data ?? [];
  const acts = useCarrierActs(carriers.length === 1);
  const [edited, setEdited] = useState<{ carrier: CarrierAnswer | undefined }>();
  return (
    <Page
      title="Carriers"
      intro="A message goes to the carrier with the longest matching prefix, then to the lowest priority. Carriers that tie share the messages by weight. Changes take effect within seconds."
      actions={<Button onClick={() => setEdited({ carrier: undefined })}>Add carrier</Button>}
    >
      <ListStates query={query} rowCount={carriers.length} empty={{ title: "There are no carriers" }} skeletonRows={3}>
        <Stack as="ul" gap={16} aria-label="Carriers">
          {carriers.map((carrier) => (
            <li key={carrier.name}>
              <CarrierCard carrier={carrier} carriers={carriers} acts={acts} onEdit={() => setEdited({ carrier })} />
            </li>
          ))}
        </Stack>
      </ListStates>
      {adminId !== null && <CarrierDialog adminId={adminId} edited={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}

type CarrierCardProps = {
  carrier: CarrierAnswer;
  /** All of them, this one included: its priority and weight mean something only beside theirs. */
  carriers: readonly CarrierAnswer[];
  acts: ReturnType<typeof useCarrierActs>;
  onEdit: () => void;
};

/** One carrier: its health, its connection and the messages it is for. */
function CarrierCard({ carrier, carriers, acts, onEdit }: CarrierCardProps) {
  const { name, source, isEnabled, health } = carrier;
  const { word, color } = stateOf(carrier);
  return (
    <article className={`${classes.card} surface`} aria-label={name}>
      <Inline gap={12} align="start" justify="between">
        <div>
          <h2 className={classes.name}>{name}</h2>
          <p className="small muted">{sourceWords[source]}</p>
        </div>
        <Badge miw="max-content" variant="light" color={color}>
          {word}
        </Badge>
      </Inline>
      <dl className={classes.figures}>
        <Figure name={health.link === "connecting" ? "Down since" : "Up since"}>
          {health.since === null ? "–" : <RelativeTime iso={health.since} />}
        </Figure>
        {carrier.kind === "smpp" && <Figure name="Connections">{`${health.boundBinds} of ${carrier.binds}`}</Figure>}
        <Figure name="Messages a second">{`${formatCount(health.messagesPerSecond)} of ${formatCount(carrier.messagesPerSecond)}`}</Figure>
        <Figure name="Waiting for an answer">{formatCount(health.inFlight)}</Figure>
        <Figure name="Good answers, 15 min">{goodShare(health)}</Figure>
      </dl>
      {health.lastError !== null && (
        <p className="small tone-error anywhere">
          {health.lastError}
          {health.lastErrorAt !== null && (
            <>
              {", "}
              <RelativeTime iso={health.lastErrorAt} />
            </>
          )}
        </p>
      )}
      <dl className={classes.facts}>
        {carrier.kind === "smpp" && source !== "simulator" && (
          <>
            <Figure name="Address">{`${carrier.host}:${carrier.port}${carrier.tls ? " with TLS" : ""}`}</Figure>
            <Figure name="System id">{carrier.systemId}</Figure>
          </>
        )}
        {carrier.kind === "http" && (
          <>
            <Figure name="Provider">{carrier.preset === null ? "Over HTTP" : httpPresets[carrier.preset].label}</Figure>
            <Figure name="Address">{carrier.url}</Figure>
            <Figure name="Delivery reports">{carrier.takesReports ? "Taken" : "None"}</Figure>
          </>
        )}
        <Figure name="Numbers">{prefixesInWords(carrier.prefixes)}</Figure>
        <Figure name="Order">{orderInWords(carrier, carriers)}</Figure>
        <Figure name="Share">{shareInWords(carrier, carriers)}</Figure>
        <Figure name="Window">{formatCount(carrier.window)}</Figure>
      </dl>
      {source === "administrators" && (
        <Inline gap={8} wraps>
          <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Switch ${name} ${isEnabled ? "off" : "on"}`}
            onClick={() => acts.switchTo(carrier, !isEnabled)}
          >
            {isEnabled ? "Switch off" : "Switch on"}
          </Button>
          <Button size="xs" variant="default" aria-label={`Remove ${name}`} onClick={() => acts.remove(carrier)}>
            Remove
          </Button>
        </Inline>
      )}
      {source === "configuration" && (
        <p className="small muted">To change this carrier, change CARRIERS in the configuration.</p>
      )}
      {source === "simulator" && (
        <p className="small muted">Used until you add a carrier. No real SMS leaves this machine.</p>
      )}
    </article>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd className="numeric anywhere">{children}</dd>
    </div>
  );
}

const sourceWords: Readonly<Record<CarrierAnswer["source"], string>> = {
  configuration: "From configuration",
  administrators: "Added here",
  simulator: "Built in",
};

/** The other carriers that are on and take numbers with a prefix of this one. */
function rivalsOf(carrier: CarrierAnswer, carriers: readonly CarrierAnswer[]): CarrierAnswer[] {
  const key = ({ prefixes }: CarrierAnswer): readonly string[] => (prefixes.length === 0 ? [""] : prefixes);
  return carriers.filter(
    (other) =>
      other.name !== carrier.name && other.isEnabled && key(other).some((prefix) => key(carrier).includes(prefix)),
  );
}

/** `First choice`, or the carriers with a lower priority, which are asked before. */
export function orderInWords(carrier: CarrierAnswer, carriers: readonly CarrierAnswer[]): string {
  const earlier = rivalsOf(carrier, carriers).filter(({ priority }) => priority < carrier.priority);
  return earlier.length === 0 ? "First choice" : `After ${earlier.map(({ name }) => name).join(", ")}`;
}

/** `2 of 5 messages`: the weight beside those of the carriers with the same priority. */
export function shareInWords(carrier: CarrierAnswer, carriers: readonly CarrierAnswer[]): string {
  const equals = rivalsOf(carrier, carriers).filter(({ priority }) => priority === carrier.priority);
  if (equals.length === 0) return "All messages";
  const total = equals.reduce((sum, { weight }) => sum + weight, carrier.weight);
  return `${formatCount(carrier.weight)} of ${formatCount(total)} messages`;
}

function prefixesInWords(prefixes: readonly string[]): string {
  return prefixes.length === 0 ? "Every number" : prefixes.join(", ");
}
