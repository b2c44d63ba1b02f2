import { IconDeviceMobile } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatCount } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { SimulatorFrame } from "./simulator-frame.tsx";
import { isNotThere, virtualPhonePath, virtualPhonesQuery } from "./virtual-phone-queries.ts";
import classes from "./virtual-phones-page.module.css";

/** Numbers to which the simulator carried something, newest first. */
export function VirtualPhonesPage() {
  return (
    <SimulatorFrame>
      <Page
        title="Virtual phones"
        intro="What the simulator carried, as the phones show it. Each number that got a message is here."
      >
        <Panel>
          <Phones />
        </Panel>
      </Page>
    </SimulatorFrame>
  );
}

function Phones() {
  const query = useInfiniteQuery(virtualPhonesQuery);
  const phones = query.data?.pages.flatMap((page) => page.data) ?? [];
  if (isNotThere(query.error)) {
    return (
      <Callout tone="info" title="There are no virtual phones here">
        They come with the built-in simulator, and are shown to visitors on its own machine, with the token that its
        start prints, and to administrators.
      </Callout>
    );
  }
  const empty = {
    title: "Nothing has arrived yet",
    text: "Send an SMS, and it appears here within seconds.",
    action: <ButtonLink to={paths.sendSms}>Send SMS</ButtonLink>,
  };
  return (
    <ListStates query={query} rowCount={phones.length} empty={empty}>
      <Stack as="ul" className={classes.phones} aria-label="Virtual phones">
        {phones.map(({ phoneNo, messageCount, lastMessage, lastSenderName, receivedAt }) => (
          <li key={phoneNo}>
            <Link to={virtualPhonePath(phoneNo)} className={classes.phone}>
              <span className={classes.icon} aria-hidden>
                <IconDeviceMobile size={22} stroke={1.6} />
              </span>
              <Stack as="span" gap={2} className={`${classes.words} shrinkable`}>
                <Inline as="span" gap={12} align="baseline" justify="between">
                  <span className="strong numeric">+{phoneNo}</span>
                  <span className="muted tiny rigid">
                    <RelativeTime iso={receivedAt} />
                  </span>
                </Inline>
                <span className="cut muted small">
                  <strong>{lastSenderName}</strong> {lastMessage}
                </span>
                {messageCount > 1 && <span className="muted tiny numeric">{formatCount(messageCount)} messages</span>}
              </Stack>
            </Link>
          </li>
        ))}
      </Stack>
      <ShowMore list={{ query, rows: phones }} />
    </ListStates>
  );
}
