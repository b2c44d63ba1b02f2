import { Badge, Button } from "@mantine/core";
import type { CarrierAnswer } from "@ewebal/contract";
import type { ReactNode } from "react";
import { formatCount } from "../../../lib/texts/format.ts";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { goodShare, prefixesInWords, sourceWords, stateOf } from "./carrier-words.ts";
import classes from "./carriers-page.module.css";
import type { useCarrierActs } from "./use-carriers.ts";

type CarrierCardProps = {
  carrier: CarrierAnswer;
  acts: ReturnType<typeof useCarrierActs>;
  onEdit: () => void;
};

/** One carrier: how it does, how it is reached, what it is for. */
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
        <p className="small muted">It is changed where the product is started, in CARRIERS.</p>
      )}
      {source === "simulator" && (
        <p className="small muted">It carries until you add a carrier. No real SMS leaves this machine.</p>
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
