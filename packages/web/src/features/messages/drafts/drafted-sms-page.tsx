import { ActionIcon } from "@mantine/core";
import type { DraftAnswer } from "@ewebal/contract";
import { draftCalls } from "@ewebal/contract/calls";
import { readRecipients, durationsMs } from "@ewebal/contract/rules";
import { IconSend, IconTrash } from "@tabler/icons-react";
import { useCallback, useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { carryMessage, forgetCarried } from "../resend/carried-messages.ts";
import { fixedTexts, explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList, useUntilFound } from "../../../lib/api/use-cursor-list.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page, focusMain } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { CarryLink, sendDraftPath } from "../resend/carry-link.tsx";
import classes from "../message-list.module.css";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** Messages that were kept for later. */
export function DraftedSmsPage() {
  const { userId } = useSession();
  const compose = (
    <ButtonLink to={paths.sendSms} leftSection={<IconSend size={18} stroke={1.8} aria-hidden />}>
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
  const { values, isAnyOn, set, clear } = useAddressFilters(["search"]);
  const list = useCursorList<DraftAnswer>({
    queryKey: ["drafts", userId, values.search],
    read: async (after, signal) =>
      await call(draftCalls.populateDrafts, {
        params: { userId },
        query: { search: values.search, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const query = useUntilFound(list.query, list.rows.length);
  const onSearch = useCallback((search: string) => set({ search }), [set]);
  const columns = useColumns(userId);
  const empty = {
    title: fixedTexts.noDrafts,
    text: "Messages you save with Draft SMS appear here.",
    action: <ButtonLink to={paths.sendSms}>Write a message</ButtonLink>,
  };
  return (
    <Panel>
      {(isAnyOn || list.rows.length > 0 || query.isPending) && (
        <div className={classes.search}>
          <SearchField
            label="Search the drafts"
            placeholder="Message, sender name or number"
            value={values.search}
            onSearch={onSearch}
          />
        </div>
      )}
      <ListStates query={query} rowCount={list.rows.length} empty={empty} onClearFilters={isAnyOn ? clear : undefined}>
        <DataTable caption="Drafts" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
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
          <Inline gap={4} align="center" justify="end">
            <CarryLink
              to={sendDraftPath(draft._id)}
              label={`Edit the draft from ${draft.senderName}`}
              onFollow={() => carryMessage("draft-history", draft)}
            >
              Edit
            </CarryLink>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Delete the draft from ${draft.senderName}`}
              title="Delete"
              onClick={() => void deleteDraft(draft)}
            >
              <IconTrash size={18} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Inline>
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
        text: `You can't get back what you wrote as ${senderName}.`,
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
