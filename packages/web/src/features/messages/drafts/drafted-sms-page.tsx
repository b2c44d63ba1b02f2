import type { DraftAnswer } from "@ewebal/contract";
import { draftCalls } from "@ewebal/contract/calls";
import { readRecipients, durationsMs } from "@ewebal/contract/rules";
import { IconSend } from "@tabler/icons-react";
import { useCallback, useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { carryMessage, forgetCarried } from "../resend/carried-messages.ts";
import { fixedTexts, explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import type { Column } from "../../../ui/lists/data-table.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { Page, focusMain } from "../../../ui/layout/page.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { CarryLink, sendDraftPath } from "../resend/carry-link.tsx";
import { EditAndDelete, KeptMessages } from "../kept-messages.tsx";
import classes from "../message-list.module.css";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** Messages that were kept for later. */
export function DraftedSmsPage() {
  const { userId } = useSession();
  const compose = (
    <ButtonLink to={paths.sendSms} data-least="sender" leftSection={<IconSend size={18} stroke={1.8} aria-hidden />}>
      Send SMS
    </ButtonLink>
  );
  return (
    <Page title="Drafted SMS" actions={compose}>
      {userId !== null && <Drafts userId={userId} />}
    </Page>
  );
}

function Drafts({ userId }: { userId: string }) {
  const columns = useColumns(userId);
  return (
    <KeptMessages<DraftAnswer>
      userId={userId}
      topic="drafts"
      caption="Drafts"
      searchLabel="Search the drafts"
      read={async (query, signal) => await call(draftCalls.populateDrafts, { params: { userId }, query, signal })}
      columns={columns}
      empty={{
        title: fixedTexts.noDrafts,
        text: "Messages you save with Draft SMS appear here.",
        action: (
          <ButtonLink to={paths.sendSms} data-least="sender">
            Write a message
          </ButtonLink>
        ),
      }}
    />
  );
}

function useColumns(userId: string): readonly Column<DraftAnswer>[] {
  const deleteDraft = useDeleteDraft(userId);
  return useMemo(
    () => [
      {
        title: "Message",
        isHeading: true,
        width: "44%",
        cell: ({ message }) => <p className={classes.preview}>{message}</p>,
      },
      { title: "Sender name", cell: ({ senderName }) => senderName },
      { title: "Numbers", isNumeric: true, cell: (draft) => <NumberCount draft={draft} /> },
      { title: "Saved", cell: ({ updatedAt }) => <RelativeTime iso={updatedAt} /> },
      {
        title: "Edit and delete",
        isActions: true,
        cell: (draft) => (
          <EditAndDelete
            edit={
              <CarryLink
                to={sendDraftPath(draft._id)}
                label={`Edit the draft from ${draft.senderName}`}
                onFollow={() => carryMessage("draft-history", draft)}
              >
                Edit
              </CarryLink>
            }
            name={`the draft from ${draft.senderName}`}
            onDelete={async () => await deleteDraft(draft)}
          />
        ),
      },
    ],
    [deleteDraft],
  );
}

/** Numbers as the send would count them: valid ones, each once. Wrong ones are kept in a draft, so they are named. */
function NumberCount({ draft: { phoneNo, code } }: { draft: DraftAnswer }) {
  const rates = useRateTable();
  const { validCount, wrongCount } = useMemo(() => {
    const read = readRecipients(phoneNo, code, rates);
    return { validCount: read.valid.length, wrongCount: read.wrongCount };
  }, [phoneNo, code, rates]);
  return (
    <>
      {formatCount(validCount)}
      {wrongCount > 0 && <span className="muted"> + {formatCount(wrongCount)} wrong</span>}
    </>
  );
}

/** Asks, deletes, and says how it went. */
function useDeleteDraft(userId: string): (draft: DraftAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async ({ _id: draftId, senderName }) => {
      const isConfirmed = await confirm({
        title: "Delete this draft?",
        text: `This draft from ${senderName} will be deleted permanently.`,
      });
      if (!isConfirmed) return;
      try {
        await call(draftCalls.deleteDraft, { params: { userId, draftId } });
      } catch (error) {
        showNotice(explainFailure(error));
        return;
      }
      forgetCarried("draft-history");
      showNotice({ title: fixedTexts.deleted, durationMs: durationsMs.draftDeleteNotice });
      await queryClient.invalidateQueries({ queryKey: ["drafts", userId] });
      focusMain();
    },
    [queryClient, userId],
  );
}
