import { limits } from "@ewebal/contract/rules";
import { Link } from "@tanstack/react-router";
import { IconDownload } from "@tabler/icons-react";
import { useBrand } from "../../../lib/brand.ts";
import { paths } from "../../../lib/paths.ts";
import { type CodeSample, sendSamples, testNumberFacts, webhookFiles } from "../../../shared/programs/code-samples.ts";
import { CodeBlock } from "../../../ui/kit/code-block.tsx";
import { FactTable } from "../../../ui/kit/fact-table.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import section from "../frame/section.module.css";
import { PageTop, SitePage } from "../frame/site-page.tsx";
import {
  GET_ADDRESS,
  getParts,
  refusals,
  SEND_ADDRESS,
  personalFields,
  sendFields,
  DOCUMENTATION_FILE,
  DOWNLOAD_FOLDER,
} from "./api-facts.ts";
import classes from "./api-page.module.css";

const SUCCESS_ANSWER = `{
  "message": "Message Sent",
  "data": { "_id": "0199c3a8-6f00-7c52-9d3e-2b1f6a7c8d90" },
  "unitDetails": {
    "received": 2, "recipients": 2, "duplicates": 0, "dnd": 0,
    "pages": 1, "rate": 3, "charged": 6, "available": 994
  }
}`;

/** The documentation of the calls that send, with code that runs and files to download. */
export function ApiPage() {
  const publicUrl = useBrand()?.publicUrl ?? "";
  return (
    <SitePage
      top={
        <PageTop title="SMS API">
          Send from your own program: one call over HTTP, one key, and an answer that says what it cost.
        </PageTop>
      }
    >
      <div className={`${section.wrap} ${classes.grid}`}>
        <div className={classes.column}>
          <Start />
          <Stack as="section" aria-labelledby="send-title" gap={16} className={classes.part}>
            <h2 id="send-title">Send a message</h2>
            <p className={classes.call}>
              <span className={classes.method}>POST</span> {SEND_ADDRESS}
            </p>
            <p>
              The key goes into the header <code>Authorization: Bearer</code>. With an <code>Idempotency-Key</code> of
              your own, such as an order's number, a repeated call sends once.
            </p>
            <FactTable
              caption="Fields of the JSON body"
              heads={["Field", "Meaning"]}
              rows={[...sendFields, ...personalFields].map(({ name, text }) => [<code>{name}</code>, text])}
            />
            <p>
              With <code>sendAt</code> the answer is 201, and the message waits for its time. Other fields are refused.
            </p>
            <CodeBlock
              label="Settings for the samples"
              text={`export SMS_API_URL=${publicUrl}\nexport SMS_API_KEY=<a key from your dashboard>`}
            />
            <Samples samples={sendSamples} />
          </Stack>
          <Answers />
          <TestMode />
          <Webhooks />
          <Limits />
          <Stack as="section" aria-labelledby="get-title" gap={16} className={classes.part}>
            <h2 id="get-title">The GET form</h2>
            <p className={classes.call}>
              <span className={classes.method}>GET</span> {GET_ADDRESS}
            </p>
            <p>
              For programs that can only open an address. Each part is URL-encoded. The call needs an approved IP
              address, answers like the one above, and a repeat within 60 seconds gets the first answer.
            </p>
            <FactTable
              caption="Parts of the address"
              heads={["Part", "Meaning"]}
              rows={getParts.map(({ name, text }) => [<code>{name}</code>, text])}
            />
            <CodeBlock
              label="GET with curl"
              text={`curl "$SMS_API_URL/api/send-bulk-sms/ada%40gmail.com/$SMS_API_KEY/\\\nYour%20order%201042%20is%20on%20its%20way./AdaStores/2348031234567/234"`}
            />
            <p>Avoid it: proxies and browsers record addresses and the key.</p>
          </Stack>
        </div>
        <Downloads />
      </div>
    </SitePage>
  );
}

function Start() {
  return (
    <Stack as="section" aria-labelledby="start-title" gap={16} className={classes.part}>
      <h2 id="start-title">Before the first call</h2>
      <Stack as="ol" gap={8} className={classes.steps}>
        <li>
          <Link to={paths.register}>Create an account</Link>, and a test key in your dashboard.
        </li>
        <li>Send with the test key: it needs no units and no approved sender name, and reaches no phone.</li>
        <li>Get a sender name approved under Whitelists, buy units, and use a live key.</li>
      </Stack>
    </Stack>
  );
}

function Samples({ samples }: { samples: readonly CodeSample[] }) {
  return samples.map(({ language, text }, sampleIndex) => (
    <details key={language} className={classes.sample} name="sample" open={sampleIndex === 0}>
      <summary>{language}</summary>
      <CodeBlock label={language} text={text} />
    </details>
  ));
}

function Answers() {
  return (
    <Stack as="section" aria-labelledby="answers-title" gap={16} className={classes.part}>
      <h2 id="answers-title">Answers</h2>
      <p>
        Every answer is JSON with a <code>message</code> for people. A success says what it cost:
      </p>
      <CodeBlock label="Answer 200" text={SUCCESS_ANSWER} />
      <p>
        Status 503 with <code>"dnd": true</code> is a success too: do-not-disturb numbers were skipped and not charged.
        A refusal has a <code>code</code>, and sends and charges nothing:
      </p>
      <FactTable
        caption="Refusals"
        heads={["Status", "Code", "Meaning"]}
        rows={refusals.map(({ status, code, text }) => [status, <code>{code}</code>, text])}
      />
    </Stack>
  );
}

function TestMode() {
  return (
    <Stack as="section" aria-labelledby="test-title" gap={16} className={classes.part}>
      <h2 id="test-title">Test keys</h2>
      <p>
        A key that begins with <code>ewb_test_</code> goes the same way as a live one up to the carrier. Its messages
        have webhooks, and are in your history under Test messages. These numbers force what happens; others are
        delivered after a second:
      </p>
      <FactTable
        caption="Numbers for tests"
        heads={["Number", "What happens"]}
        rows={testNumberFacts.map(({ number, text }) => [<code>{number}</code>, text])}
      />
    </Stack>
  );
}

function Webhooks() {
  return (
    <Stack as="section" aria-labelledby="webhooks-title" gap={16} className={classes.part}>
      <h2 id="webhooks-title">Webhooks</h2>
      <p>
        A webhook hears of deliveries, answers and opt-outs as they happen, signed as{" "}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a> says. The API reference lists{" "}
        <a href={paths.apiReference}>all events</a>.
      </p>
    </Stack>
  );
}

function Limits() {
  return (
    <Stack as="section" aria-labelledby="limits-title" gap={16} className={classes.part}>
      <h2 id="limits-title">Calls a second</h2>
      <p>
        Each API key may make {limits.callsPerSecond} calls a second, large or small. Every answer says in its{" "}
        <code>RateLimit</code> fields how many are left: <code>r=99;t=1</code> says 99, until the count restarts in 1
        second. Beyond the limit the answer is 429, and <code>Retry-After</code> says how many seconds to wait. Ask
        support for more.
      </p>
      <CodeBlock
        label="Headers of an answer"
        text={`RateLimit-Policy: "key";q=${limits.callsPerSecond};w=1\nRateLimit: "key";r=${limits.callsPerSecond - 1};t=1`}
      />
    </Stack>
  );
}

function Downloads() {
  const files = [
    { file: DOCUMENTATION_FILE, label: "API documentation" },
    ...sendSamples.map(({ file, language }) => ({ file, label: `Sample for ${language}` })),
    ...webhookFiles.map(({ file, language }) => ({ file, label: `Webhooks with ${language}` })),
  ];
  return (
    <aside className={classes.downloads} aria-labelledby="downloads-title">
      <h2 id="downloads-title">Download</h2>
      <Stack as="ul" gap={4} className={classes.files}>
        {files.map(({ file, label }) => (
          <li key={file}>
            <a href={`${DOWNLOAD_FOLDER}${file}`} download>
              <IconDownload size={18} stroke={1.8} aria-hidden />
              {label}
            </a>
          </li>
        ))}
      </Stack>
      <p className={`${classes.more} muted small`}>
        The <a href={paths.apiReference}>API reference</a> describes every call, Twilio&rsquo;s clients and SMPP.
      </p>
    </aside>
  );
}
