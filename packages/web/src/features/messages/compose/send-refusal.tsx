import { useEffect, useRef } from "react";
import { ApiError, NetworkError } from "../../../lib/api/api.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import classes from "./send-sms.module.css";
import { explainNotSent, type SendPlace } from "./send-outcome.ts";

/** Why nothing was sent, in the catalogue's words, and what the server says of each field. */
export function SendRefusal({ error, place = "page" }: { error: Error; place?: SendPlace }) {
  const { tone, title, text } = explainNotSent(error, place);
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A block: newer browsers answer with a promise, which React would call as the effect's end.
    ref.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  return (
    <div ref={ref} className={classes.refusal}>
      <Callout tone={tone} title={title} isAnnounced>
        {text !== undefined && <p>{text}</p>}
        {error instanceof NetworkError && (
          <p>Everything is still here. Send it again when the network is back: the same message is never sent twice.</p>
        )}
        {fields.length > 0 && (
          <ul className={classes.faults}>
            {fields.map(([name, fault]) => (
              <li key={name}>
                {fieldNames[name] ?? name} {fault}
              </li>
            ))}
          </ul>
        )}
      </Callout>
    </div>
  );
}

const fieldNames: Readonly<Record<string, string>> = {
  senderName: "Sender name",
  message: "Message",
  phoneNo: "Recipients",
  code: "Country",
  catalogId: "Catalog",
  sendAt: "Time",
  timeZone: "Time zone",
};
