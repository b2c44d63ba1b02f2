/**
 * What programmers copy: the files of `public/downloads` with their contents, which the server's tests run as they are, and the numbers that a
 * test key answers for.
 */
import curl from "../../../public/downloads/send-sms.sh?raw";
import node from "../../../public/downloads/send-sms.mjs?raw";
import php from "../../../public/downloads/send-sms.php?raw";
import python from "../../../public/downloads/send-sms.py?raw";

export type CodeSample = { language: string; file: string; text: string };

/** Each sends one message. */
export const sendSamples: readonly CodeSample[] = [
  { language: "curl", file: "send-sms.sh", text: curl },
  { language: "Node.js", file: "send-sms.mjs", text: node },
  { language: "PHP", file: "send-sms.php", text: php },
  { language: "Python", file: "send-sms.py", text: python },
];

/** Each listens, and accepts only webhooks that are signed with the secret. The public page links to them, so their texts are only in the dashboard. */
export const webhookFiles: readonly Omit<CodeSample, "text">[] = [
  { language: "Node.js", file: "receive-webhook.mjs" },
  { language: "PHP", file: "receive-webhook.php" },
  { language: "Python", file: "receive-webhook.py" },
];

/** What a test key answers for each number; any other is delivered after about a second. */
export const testNumberFacts: readonly { number: string; text: string }[] = [
  { number: "2348000000001", text: "delivered" },
  { number: "2348000000002", text: "failed: the phone is off or out of reach" },
  { number: "2348000000003", text: "failed: the number is not in service" },
  { number: "2348000000004", text: "on the do-not-disturb list: 503 with dnd" },
  { number: "2348000000005", text: "failed: its time was over" },
  { number: "2348000000006", text: "delivered after 60 seconds" },
  { number: "2348000000007", text: "sent, and never reported" },
  { number: "2348000000008", text: "opted out: accepted, and left out" },
  { number: "2348000000009", text: "402 LIMIT_REACHED" },
  { number: "2348000000010", text: "429 RATE_LIMITED with Retry-After" },
  { number: "2348000000011", text: "550 NOT_SENDABLE" },
];
