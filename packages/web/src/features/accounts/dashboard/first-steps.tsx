import type { UserAnswer } from "@ewebal/contract";
import { IconArrowRight, IconCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { paths } from "../../../lib/paths.ts";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import classes from "./first-steps.module.css";

type Step = {
  title: string;
  text: string;
  isDone: boolean;
  /** Where the person takes this step. */
  to?: string;
};

/** The steps from a new account to the first message, in the order that works. */
export function findSteps(user: UserAnswer): Step[] {
  const hasSent = user.counts.sms > 0;
  return [
    { title: "Verify your e-mail", text: "Open the link in the mail that we sent you.", isDone: user.verified },
    // A customer who has sent a message has had units, even if none are left.
    {
      title: "Get units",
      text: "Pay by card for units at once, or by bank transfer once we confirm the deposit.",
      isDone: user.units > 0 || hasSent,
      to: paths.buySms,
    },
    {
      title: "Whitelist a sender",
      text: "The name that people see. We e-mail you the decision within about 24 hours.",
      isDone: user.senderID.length > 0,
      to: paths.whitelists,
    },
    {
      title: "Send to yourself",
      text: "Send one message to your own number to see how it arrives.",
      isDone: hasSent,
      to: paths.sendSms,
    },
  ];
}

/** The steps, shown until all of them are done. */
export function FirstSteps({ user }: { user: UserAnswer }) {
  const steps = findSteps(user);
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  if (doneCount === steps.length) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Panel
      title="First steps"
      aside={<span className="muted small numeric">{`${doneCount} of ${steps.length} done`}</span>}
    >
      <Tiles as="ol" min={200} gap={20} across={24}>
        {steps.map((step, stepIndex) => (
          <li
            key={step.title}
            className={classes.step}
            data-done={step.isDone || undefined}
            data-next={step === next || undefined}
          >
            <span className={classes.mark} aria-hidden>
              {step.isDone ? <IconCheck size={16} stroke={2.4} /> : stepIndex + 1}
            </span>
            <div className="shrinkable small">
              <StepTitle step={step} />
              <p className="muted">{step.text}</p>
            </div>
          </li>
        ))}
      </Tiles>
    </Panel>
  );
}

function StepTitle({ step }: { step: Step }) {
  if (step.isDone || step.to === undefined) {
    return (
      <p className={classes.title}>
        {step.title}
        {step.isDone && <span className="visually-hidden"> (done)</span>}
      </p>
    );
  }
  return (
    <Link to={step.to} className={classes.title}>
      {step.title}
      <IconArrowRight size={16} stroke={2} aria-hidden />
    </Link>
  );
}
