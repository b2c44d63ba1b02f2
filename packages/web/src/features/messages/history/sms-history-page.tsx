import { useMediaQuery } from "@mantine/hooks";
import { IconSend } from "@tabler/icons-react";
import { fixedTexts } from "../../../lib/texts/catalogue-texts.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { useLightPrint } from "../../../ui/layout/printing.ts";
import { HistoryFilterBar } from "./history-filter-bar.tsx";
import { historyFilterNames, readHistoryFilters } from "../../../shared/messages/history-filters.ts";
import { HistoryCards, HistoryRow } from "./history-row.tsx";
import classes from "./sms-history.module.css";
import { useSmsHistory } from "./use-sms-history.ts";
import { useUntilFound } from "../../../lib/api/use-cursor-list.ts";

/** Everything that was sent, newest first, with counts that move while it is delivered. */
export function SmsHistoryPage() {
  const { userId } = useSession();
  useLightPrint();
  const compose = (
    <ButtonLink to={paths.sendSms} data-least="sender" leftSection={<IconSend size={18} stroke={1.8} aria-hidden />}>
      Send SMS
    </ButtonLink>
  );
  return (
    <Page
      title="SMS history"
      intro="Every message you sent, what it cost, and how many phones it reached."
      actions={compose}
    >
      {userId !== null && <History userId={userId} />}
    </Page>
  );
}

function History({ userId }: { userId: string }) {
  const filters = useAddressFilters(historyFilterNames);
  const { isAnyOn, clear, values } = filters;
  const { query, messageIds, total } = useSmsHistory(userId, readHistoryFilters(values));
  const isWide = useMediaQuery("(min-width: 768px)", false, { getInitialValueInEffect: false });
  const shownQuery = useUntilFound(query, messageIds.length);
  const empty = {
    title: fixedTexts.noMessages,
    text: "Messages you send appear here.",
    action: (
      <ButtonLink to={paths.sendSms} data-least="sender">
        Send your first SMS
      </ButtonLink>
    ),
  };
  return (
    <Panel>
      {(isAnyOn || messageIds.length > 0 || query.isPending) && <HistoryFilterBar userId={userId} filters={filters} />}
      <ListStates
        query={shownQuery}
        rowCount={messageIds.length}
        empty={empty}
        onClearFilters={isAnyOn ? clear : undefined}
      >
        {isWide ? (
          <HistoryTable userId={userId} messageIds={messageIds} />
        ) : (
          <HistoryCards userId={userId} messageIds={messageIds} />
        )}
        <ShowMore list={{ query, rows: messageIds }} total={total} isFiltered={isAnyOn} />
      </ListStates>
    </Panel>
  );
}

type MessagesProps = {
  userId: string;
  messageIds: readonly string[];
};

function HistoryTable({ userId, messageIds }: MessagesProps) {
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">Sent messages</caption>
      <thead>
        <tr>
          <th scope="col">Sender name</th>
          <th scope="col">Message</th>
          <th scope="col" className={classes.number}>
            Recipients
          </th>
          <th scope="col" className={classes.number}>
            Charge
          </th>
          <th scope="col">Status</th>
          <th scope="col">Sent</th>
          <th scope="col">
            <span className="visually-hidden">Resend and delete</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {messageIds.map((messageId) => (
          <HistoryRow key={messageId} userId={userId} messageId={messageId} />
        ))}
      </tbody>
    </table>
  );
}
