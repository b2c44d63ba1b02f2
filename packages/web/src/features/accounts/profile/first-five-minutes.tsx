import { Button } from "@mantine/core";
import type { ApiKeyAnswer } from "@ewebal/contract";
import { IconCircle, IconCircleCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useBrand } from "../../../lib/brand.ts";
import { paths } from "../../../lib/paths.ts";
import { type CodeSample, sendSamples, testNumberFacts, webhookFiles } from "../../../shared/programs/code-samples.ts";
// oxlint-disable-next-line import/default -- the bundler makes its text the default export.
import nodeWebhook from "../../../../public/downloads/receive-webhook.mjs?raw";
import phpWebhook from "../../../../public/downloads/receive-webhook.php?raw";
import pythonWebhook from "../../../../public/downloads/receive-webhook.py?raw";
import { CodeBlock } from "../../../ui/kit/code-block.tsx";
import { FactTable } from "../../../ui/kit/fact-table.tsx";
import { Fold } from "../../../ui/kit/fold.tsx";
import { ServerLink, TextLink } from "../../../ui/kit/links.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";

const webhookTexts = [nodeWebhook, phpWebhook, pythonWebhook];
const webhookSamples = webhookFiles.map((sample, index) => ({ ...sample, text: webhookTexts[index] ?? "" }));

type FirstFiveMinutesProps = {
  keys: readonly ApiKeyAnswer[];
  onMake: () => void;
};

/** The way from no key to a program that sends, with what is done of it already. */
export function FirstFiveMinutes({ keys, onMake }: FirstFiveMinutesProps) {
  const publicUrl = useBrand()?.publicUrl ?? "";
  const tested = keys.filter(({ mode }) => mode === "test");
  const hasSent = tested.some(({ lastUsedAt }) => lastUsedAt !== undefined);
  return (
    <Panel title="Your first five minutes">
      <Stack as="ol" gap={24}>
        <Step title="Make a test key" isDone={tested.length > 0}>
          <p>
            A test key charges nothing and reaches no phone. Its messages get the same answers and events as real ones.
          </p>
          {tested.length === 0 && (
            <div>
              <Button variant="default" onClick={onMake}>
                Make a key
              </Button>
            </div>
          )}
        </Step>
        <Step title="Send a message" isDone={hasSent}>
          <p>Set the address and the key, then run one of these:</p>
          <CodeBlock label="Settings" text={`export SMS_API_URL=${publicUrl}\nexport SMS_API_KEY=<your test key>`} />
          <Samples samples={sendSamples} />
        </Step>
        <Step title="See it in your history">
          <p>
            <TextLink to={paths.smsHistory} search={{ mode: "test" }}>
              Test messages
            </TextLink>{" "}
            have a list of their own. Open one to see what each phone got.
          </p>
        </Step>
        <Step title="Hear what becomes of it">
          <p>
            A <TextLink to={paths.webhooks}>webhook</TextLink> calls your server when a message is delivered or a phone
            answers. Make one with the address of your server, run one of these there with the webhook&rsquo;s secret,
            and send again: each prints the events whose signature is right. The{" "}
            <ServerLink href={paths.apiReference}>API reference</ServerLink> shows every event.
          </p>
          <Samples samples={webhookSamples} />
        </Step>
        <Step title="Try what can go wrong">
          <p>Put one of these numbers into the sample, and your test key plays what happens:</p>
          <FactTable
            caption="Numbers for tests"
            heads={["Number", "What happens"]}
            rows={testNumberFacts.map(({ number, text }) => [<code>{number}</code>, text])}
          />
        </Step>
        <Step title="Go live" isDone={keys.some(({ mode, lastUsedAt }) => mode === "live" && lastUsedAt !== undefined)}>
          <p>
            <TextLink to={paths.whitelists}>Get a sender name approved</TextLink>,{" "}
            <TextLink to={paths.buySms}>buy units</TextLink>, and put a live key in the test key&rsquo;s place.
          </p>
        </Step>
      </Stack>
    </Panel>
  );
}

function Samples({ samples }: { samples: readonly CodeSample[] }) {
  return samples.map(({ language, text }) => (
    <Fold key={language} label={language}>
      <CodeBlock label={language} text={text} />
    </Fold>
  ));
}

function Step({ title, isDone = false, children }: { title: string; isDone?: boolean; children: ReactNode }) {
  const Mark = isDone ? IconCircleCheck : IconCircle;
  return (
    <Stack as="li" gap={8}>
      <Inline gap={8}>
        <Mark size={20} stroke={1.8} aria-hidden />
        <h3>
          {title}
          {isDone && <span className="muted small"> (done)</span>}
        </h3>
      </Inline>
      {children}
    </Stack>
  );
}
