import { Button } from "@mantine/core";
import type { MessageAnswer } from "@ewebal/contract";
import { segmentText } from "@ewebal/contract/rules";
import { IconPrinter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { formatCount, formatCounted, formatDateTime, formatRate, sentAt } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { INTRO_TO_COME, Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { messageQuery } from "../message-queries.ts";
import classes from "./one-message.module.css";
import { Bubble, Phone } from "../text/phone-preview.tsx";
import { BreakdownPanels } from "./breakdown-panels.tsx";
import { RecipientsPanel } from "./recipients-panel.tsx";
import { ResendFailed } from "./resend-failed.tsx";
import { RunningSend } from "./running-send.tsx";
import { carriageInWords } from "../text/part-meter.tsx";
import { useLightPrint } from "../../../ui/layout/printing.ts";
import { FigureList, type Figure } from "../price/price-card.tsx";
import { ResendLink } from "../resend/carry-link.tsx";

/** One sent message: how it goes, what it says, and what became of every recipient. */
export function OneMessagePage() {
  const { userId } = useSession();
  useLightPrint();
  const { messageId = "" } = useParams({ strict: false });
  return userId === null ? null : <OneMessage userId={userId} messageId={messageId} />;
}

function OneMessage({ userId, messageId }: { userId: string; messageId: string }) {
  const query = useQuery(messageQuery(userId, messageId));
  const message = query.data;
  const actions = message !== undefined && (
    <>
      <ResendLink message={message} size="sm">
        Resend
      </ResendLink>
      <ButtonLink to={paths.results} search={{ message: messageId }} variant="default">
        Results
      </ButtonLink>
      <Button
        variant="default"
        leftSection={<IconPrinter size={18} stroke={1.8} aria-hidden />}
        onClick={() => window.print()}
      >
        Print
      </Button>
    </>
  );
  return (
    <Page
      title={message === undefined ? "Message" : `Message from ${message.senderName}`}
      intro={
        message === undefined ? (
          INTRO_TO_COME
        ) : (
          <>
            <RelativeTime iso={sentAt(message)} />
            {message.sentBy !== undefined && `, sent by ${message.sentBy}`}
          </>
        )
      }
      back={{ to: paths.smsHistory, label: "SMS history" }}
      actions={actions}
    >
      <ListStates query={query} rowCount={message === undefined ? 0 : 1} empty={{ title: "There is no such message" }}>
        {message !== undefined && (
          <Stack gap={16} align="top" className={classes.layout}>
            <Stack gap={16} className={classes.progress}>
              <RunningSend userId={userId} message={message} />
              {message.counts.failed > 0 && <ResendFailed key={messageId} userId={userId} message={message} />}
            </Stack>
            <Stack as="aside" gap={16} className={classes.side} aria-label="What was sent">
              <Text message={message} />
              <Cost message={message} />
              <Details message={message} />
            </Stack>
            <Stack gap={16} className={classes.breakdown}>
              <BreakdownPanels userId={userId} message={message} />
            </Stack>
            <div className={classes.recipients}>
              <RecipientsPanel userId={userId} message={message} />
            </div>
          </Stack>
        )}
      </ListStates>
    </Page>
  );
}

/** The text as phones show it, with a border where the carrier cuts it. */
function Text({ message }: { message: MessageAnswer }) {
  return (
    <Phone title={message.senderName}>
      <Bubble note={formatDateTime(sentAt(message))}>{message.message}</Bubble>
    </Phone>
  );
}

function Details({ message: { message, pages, pageCounts, recipients, code } }: { message: MessageAnswer }) {
  const figures = [
    { name: "Recipients", value: formatCount(recipients) },
    { name: "Country code", value: `+${code}` },
    ...(pageCounts === undefined
      ? [
          { name: "Pages", value: formatCount(pages) },
          { name: "Sent as", value: carriageInWords(segmentText(message)) },
        ]
      : Object.entries(pageCounts).map(([own, count]) => ({
          name: `Recipients with ${formatCounted(Number(own), "page")}`,
          value: formatCount(count),
        }))),
  ];
  return (
    <Panel title="Details">
      <FigureList figures={figures} />
    </Panel>
  );
}

/** What it cost, and what came back; the three add up to what was set aside for it. */
function Cost({ message: { price, pages, pageCounts, units } }: { message: MessageAnswer }) {
  const figures: Figure[] = [
    pageCounts === undefined
      ? { name: "Units per recipient", value: formatRate(price) }
      : { name: "Units per page", value: formatRate(price / pages) },
  ];
  if (units !== undefined) {
    figures.push({ name: "Charged", value: formatRate(units.charged), isTotal: true });
    if (units.reserved > 0)
      figures.push({ name: "Reserved until each outcome is known", value: formatRate(units.reserved) });
    figures.push({ name: "Returned to your units", value: formatRate(units.returned) });
  }
  return (
    <Panel title="Cost">
      <FigureList figures={figures} />
    </Panel>
  );
}
