import { useEffect, useRef } from "react";
import type { SendAnswer } from "@ewebal/contract";
import { useNavigate } from "@tanstack/react-router";
import { ApiError, NetworkError } from "../../../lib/api/api.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import classes from "./send-sms.module.css";
import { explainAnswer, explainError, type Explanation } from "../../../lib/texts/catalogue-texts.ts";
import { formatCounted, formatTimeOfDay, formatUnits } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/**
 * Shows a notice and navigates where an answer leads, in the same way for every form that sends. Does not navigate when the customer
 * has already opened another page. The form itself shows an answer that leads nowhere.
 */
export function useLeaveTo(): (explanation: Explanation) => void {
  const navigate = useNavigate();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return ({ goTo, ...words }) => {
    if (goTo === undefined && isHere.current) return;
    showNotice(words);
    if (goTo !== undefined && isHere.current) void navigate({ to: goTo });
  };
}

/** The words for an accepted send: "503 with dnd" is one, and has the catalogue's own. */
export function explainSent(answer: SendAnswer): Explanation {
  const explanation = explainAnswer("sendSms", answer.dnd === true ? 503 : 200, answer.message);
  if (explanation.text !== undefined) return explanation;
  const { charged, available, deferredUntil } = answer.unitDetails;
  const waits = deferredUntil === undefined ? "" : `. Leaves at ${formatTimeOfDay(deferredUntil)}`;
  return {
    ...explanation,
    text: `${recipientsOf(answer)}, ${formatUnits(charged)} units charged, ${formatUnits(available)} left${waits}`,
  };
}

/** The words for a message that waits for its time; its units are reserved, not charged yet. */
export function explainScheduled(answer: SendAnswer): Explanation {
  const { charged, available, dnd } = answer.unitDetails;
  const skipped = dnd === 0 ? "" : `. ${formatCounted(dnd, "DND number")} will be skipped`;
  const text = `${recipientsOf(answer)}, ${formatUnits(charged)} units set aside, ${formatUnits(available)} left${skipped}`;
  return { tone: "ok", title: answer.message, text, goTo: paths.scheduledSms };
}

function recipientsOf({ unitDetails: { recipients } }: SendAnswer): string {
  return formatCounted(recipients, "recipient");
}

/** Where a send can be refused: on a page, or in the dialog of a catalog, which has words of its own for a wrong number. */
export type SendPlace = "page" | "dialog";

/** The words for a refused or lost send, with the address where the catalogue sends the person. */
export function explainNotSent(error: unknown, place: SendPlace = "page"): Explanation {
  const isDialogs = place === "dialog" && error instanceof ApiError && error.status === 400;
  return explainError(isDialogs ? "sendSmsDialog" : "sendSms", error);
}

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
  validUntil: "Valid until",
  repeat: "Repeat",
};
