import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { paths } from "../../../lib/paths.ts";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import { Bubble, Phone } from "../text/phone-preview.tsx";
import { SimulatorFrame } from "./simulator-frame.tsx";
import { isNotThere, virtualPhoneQuery } from "./virtual-phone-queries.ts";

/** What arrived at one number, as its phone shows it: by sender, the newest at the bottom. */
export function VirtualPhonePage() {
  const { phoneNo = "" } = useParams({ strict: false });
  const query = useQuery(virtualPhoneQuery(phoneNo));
  const messages = query.data ?? [];
  const senderNames = [...new Set(messages.map(({ senderName }) => senderName))];
  return (
    <SimulatorFrame>
      <Page title={`+${phoneNo}`} intro="A virtual phone" back={{ to: paths.virtualPhones, label: "All phones" }}>
        <ListStates
          query={isNotThere(query.error) ? { ...query, error: null } : query}
          rowCount={messages.length}
          empty={{
            title: "Nothing has arrived at this number",
            text: "Messages sent to it appear here within seconds.",
          }}
          skeletonRows={3}
        >
          <Tiles min={320} keepsEmpty gap={16} align="start">
            {senderNames.map((senderName) => (
              <section key={senderName} aria-label={`Messages from ${senderName}`}>
                <Phone title={senderName}>
                  {messages
                    .filter((message) => message.senderName === senderName)
                    .toReversed()
                    .map(({ message, receivedAt, partCount }, messageIndex) => (
                      <Bubble
                        key={`${receivedAt} ${messageIndex}`}
                        note={
                          <>
                            <RelativeTime iso={receivedAt} />
                            {partCount > 1 && `, joined from ${partCount} parts`}
                          </>
                        }
                      >
                        {message}
                      </Bubble>
                    ))}
                </Phone>
              </section>
            ))}
          </Tiles>
        </ListStates>
      </Page>
    </SimulatorFrame>
  );
}
