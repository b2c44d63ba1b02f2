import { Badge, Button } from "@mantine/core";
import type { CarrierAnswer, CarrierHealthAnswer } from "@ewebal/contract";
import type { ReactNode } from "react";
import { formatCount } from "../../../lib/texts/format.ts";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import classes from "./carriers-page.module.css";
import type { useCarrierActs } from "./use-carriers.ts";

type CarrierCardProps = {
  carrier: CarrierAnswer;
  acts: ReturnType<typeof useCarrierActs>;
  onEdit: () => void;
};

/** One carrier: its health, its connection and the messages it is for. */
export function CarrierCard({ carrier, acts, onEdit }: CarrierCardProps) {
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
        <Figure name="Binds">{`${health.boundBinds} of ${carrier.binds}`}</Figure>
        <Figure name="Messages a second">{`${formatCount(health.messagesPerSecond)} of ${formatCount(carrier.messagesPerSecond)}`}</Figure>
        <Figure name="In flight">{formatCount(health.inFlight)}</Figure>
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
        {source !== "simulator" && (
          <Figure name="Address">{`${carrier.host}:${carrier.port}${carrier.tls ? " with TLS" : ""}`}</Figure>
        )}
        {source !== "simulator" && <Figure name="System id">{carrier.systemId}</Figure>}
        <Figure name="Numbers">{prefixesInWords(carrier.prefixes)}</Figure>
        <Figure name="Weight and priority">{`${carrier.weight}, ${carrier.priority}`}</Figure>
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
      <dd className="numeric">{children}</dd>
    </div>
  );
}

type CarrierState = {
  word: "Bound" | "Partly bound" | "Connecting" | "Off" | "Locked" | "No worker";
  color: "green" | "yellow" | "red" | "gray";
};

/** One word for the state of a carrier. */
export function stateOf({ isEnabled, isLocked, health }: CarrierAnswer): CarrierState {
  if (!isEnabled) return { word: "Off", color: "gray" };
  if (isLocked) return { word: "Locked", color: "red" };
  if (health.link === "idle") return { word: "No worker", color: "gray" };
  if (health.link === "connecting") return { word: "Connecting", color: "red" };
  return health.boundBinds < health.heldBinds
    ? { word: "Partly bound", color: "yellow" }
    : { word: "Bound", color: "green" };
}

const sourceWords: Readonly<Record<CarrierAnswer["source"], string>> = {
  configuration: "From configuration",
  administrators: "Added here",
  simulator: "Built in",
};

/** `99.2% of 1,204`; "No messages" when there are no answers. */
export function goodShare({ goodCount, badCount }: CarrierHealthAnswer): string {
  const total = goodCount + badCount;
  if (total === 0) return "No messages";
  // Rounded down, so that 100% means every answer was good.
  return `${Math.floor((goodCount / total) * 1_000) / 10}% of ${formatCount(total)}`;
}

function prefixesInWords(prefixes: readonly string[]): string {
  return prefixes.length === 0 ? "Every number" : prefixes.join(", ");
}
