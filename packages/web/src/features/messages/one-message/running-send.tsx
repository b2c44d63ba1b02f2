import { Badge, Button } from "@mantine/core";
import type { MessageAnswer, MessageCounts, MessageState } from "@ewebal/contract";
import { IconPlayerPause, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { messageCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { formatCount, formatDateTime, formatTimeOfDay } from "../../../lib/texts/format.ts";
import { deliveryRate, formatPercent } from "../../../shared/traffic/outcomes.ts";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { countsInWords, isSentToNobody } from "../message-counts.ts";
import { CountsBar, CountsLegend } from "../message-progress.tsx";
import classes from "./running-send.module.css";
import { timeLeftInWords, useSendRate } from "./send-rate.ts";
import { call } from "../../../lib/api/api.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { messageQuery } from "../message-queries.ts";

const states: Record<MessageState, { label: string; color: string }> = {
  scheduled: { label: "Scheduled", color: "blue" },
  sending: { label: "Sending", color: "blue" },
  deferred: { label: "Waits for the morning", color: "blue" },
  review: { label: "In review", color: "yellow" },
  paused: { label: "Paused", color: "yellow" },
  held: { label: "Held for a check", color: "yellow" },
  cancelled: { label: "Cancelled", color: "yellow" },
  done: { label: "Successful", color: "green" },
};

type RunningSendProps = {
  userId: string;
  message: MessageAnswer;
};

/** How far a send is, how fast it goes, and the ways to stop it. The figures are pushed. */
export function RunningSend({ userId, message }: RunningSendProps) {
  const { recipients, counts, state, deferredUntil } = message;
  const doneCount = recipients - counts.waiting;
  // Rounded down: 100 % is said when it is true.
  const percent = recipients === 0 ? 100 : Math.floor((doneCount / recipients) * 100);
  const { label, color } = isSentToNobody(message) ? { label: "Not sent", color: "gray" } : states[state];
  const isWaiting = state === "deferred" && deferredUntil !== undefined;
  return (
    <Panel
      title="Delivery"
      aside={
        <Badge color={color} variant="light" size="lg">
          {isWaiting ? `Waits until ${formatTimeOfDay(deferredUntil)}` : label}
        </Badge>
      }
    >
      <Inline gap={16} align="baseline" justify="between" below={8}>
        <p className={`${classes.done} muted numeric`}>
          <strong>{formatCount(doneCount)}</strong> of {formatCount(recipients)} done
        </p>
        <p className="strong numeric">{percent}%</p>
      </Inline>
      <div
        role="progressbar"
        aria-label="Done"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={countsInWords(counts)}
      >
        <CountsBar counts={counts} isLarge />
      </div>
      <div className="above-8">
        <CountsLegend counts={counts} size="small" />
      </div>
      {!isSentToNobody(message) && <DeliveryRate counts={counts} />}
      {state === "sending" && <Pace message={message} />}
      {isWaiting && (
        <p className="above-12 muted small">
          It leaves at {formatDateTime(deferredUntil)}: promotional messages to this country wait for the morning.
        </p>
      )}
      {(state === "sending" || state === "paused" || state === "deferred") && (
        <Steering userId={userId} message={message} />
      )}
    </Panel>
  );
}

/** Of those whose fate is known: a report that is still on its way is no failure. */
function DeliveryRate({ counts }: { counts: MessageCounts }) {
  return (
    <Inline as="p" gap={0} across={8} align="baseline" wraps className="above-12 small numeric">
      <span>
        Delivery rate <strong>{formatPercent(deliveryRate(counts))}</strong>
      </span>
      <span className="muted">of the recipients whose result is known, DND included</span>
    </Inline>
  );
}

function Pace({ message }: { message: MessageAnswer }) {
  const perSecond = useSendRate(message);
  const timeLeft = perSecond === undefined ? undefined : timeLeftInWords(message.counts.waiting, perSecond);
  return (
    <p className="above-8 muted small numeric">
      {perSecond === undefined ? "Measuring the rate" : `${formatRate(perSecond)} a second`}
      {timeLeft !== undefined && `, ${timeLeft}`}
    </p>
  );
}

/** Below ten a digit more is worth reading. */
function formatRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond));
}

function Steering({ userId, message }: RunningSendProps) {
  const { running, pause, resume, cancel } = useSteering(userId, message);
  return (
    <Inline gap={8} wraps above={16} className="no-print">
      {message.state === "paused" ? (
        <Button
          data-least="sender"
          leftSection={<IconPlayerPlay size={18} stroke={1.8} aria-hidden />}
          loading={running === "resume"}
          onClick={resume}
        >
          Resume
        </Button>
      ) : (
        <Button
          data-least="sender"
          variant="default"
          leftSection={<IconPlayerPause size={18} stroke={1.8} aria-hidden />}
          loading={running === "pause"}
          onClick={pause}
        >
          Pause
        </Button>
      )}
      <Button
        data-least="sender"
        variant="outline"
        color="red"
        leftSection={<IconX size={18} stroke={1.8} aria-hidden />}
        loading={running === "cancel"}
        onClick={cancel}
      >
        Cancel the rest
      </Button>
    </Inline>
  );
}

type Step = "pause" | "resume" | "cancel";

type SteeringActions = {
  /** The step that waits for its answer. */
  running: Step | undefined;
  pause: () => void;
  resume: () => void;
  cancel: () => void;
};

/** Pauses, resumes and cancels a running send. Only cancelling asks first, because it cannot be undone. */
function useSteering(userId: string, { _id: messageId, counts }: MessageAnswer): SteeringActions {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (step: Step) => await call(messageCalls[step], { params: { userId, messageId } }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainFailure(error)),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: messageQuery(userId, messageId).queryKey }),
  });
  const cancel = async (): Promise<void> => {
    const waiting = counts.waiting === 1 ? "1 number that is" : `${formatCount(counts.waiting)} numbers that are`;
    const isConfirmed = await confirm({
      title: "Cancel the rest?",
      text: `The ${waiting} still waiting won't get the message, and you get their units back.`,
    });
    if (isConfirmed) mutate("cancel");
  };
  return {
    running: isPending ? variables : undefined,
    pause: () => mutate("pause"),
    resume: () => mutate("resume"),
    cancel: () => void cancel(),
  };
}
