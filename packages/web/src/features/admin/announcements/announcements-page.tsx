import { ActionIcon, Textarea, TextInput } from "@mantine/core";
import type { AnnouncementAnswer } from "@ewebal/contract";
import { limits, durationsMs } from "@ewebal/contract/rules";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { announcementCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatCount } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { AnnouncementCard, useAnnouncements } from "../../../shared/announcements/announcement-card.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";
import { Form, useForm, type FormState } from "../../../ui/forms/form.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { ApiError, call } from "../../../lib/api/api.ts";
import { explainError, explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";

/** Posts announcements to all customers, and clears them. */
export function AnnouncementsPage() {
  const { adminId } = useSession();
  return (
    <Page
      title="Announcement"
      intro="Users see an announcement on their dashboards until they dismiss it or you clear it."
    >
      {adminId !== null && (
        <Columns shares="2 to 3">
          <AnnouncementPanel adminId={adminId} />
          <PastAnnouncements adminId={adminId} />
        </Columns>
      )}
    </Page>
  );
}

function AnnouncementPanel({ adminId }: { adminId: string }) {
  const form = useAnnouncementForm(adminId);
  return (
    <Panel title="New announcement">
      <Form form={form}>
        <AnnouncementFields form={form} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Make Announcement
        </SubmitButton>
      </Form>
    </Panel>
  );
}

function AnnouncementFields({ form }: { form: AnnouncementForm }) {
  return (
    <>
      <TextInput
        label="Hint / Subject"
        autoComplete="off"
        maxLength={limits.subjectCharactersMax}
        {...form.field("hint")}
      />
      <Textarea
        label="Message"
        autosize
        minRows={5}
        maxRows={14}
        maxLength={limits.announcementCharactersMax}
        description={`${formatCount(form.values.message.length)} of ${formatCount(limits.announcementCharactersMax)} characters`}
        {...form.field("message")}
      />
    </>
  );
}

function PastAnnouncements({ adminId }: { adminId: string }) {
  const list = useAnnouncements();
  const clear = useClearAnnouncement(adminId);
  const [edited, setEdited] = useState<AnnouncementAnswer>();
  return (
    <Stack as="section" gap={12} aria-label="Past announcements">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{ title: "There are no announcements", text: "Your announcements will be listed here, newest first." }}
        skeletonRows={3}
      >
        {list.rows.map((announcement) => (
          <AnnouncementCard
            key={announcement._id}
            announcement={announcement}
            action={
              <Inline gap={4}>
                <ActButton verb="Edit" icon={IconPencil} announcement={announcement} onPress={setEdited} />
                <ActButton verb="Clear" icon={IconTrash} announcement={announcement} onPress={clear} />
              </Inline>
            }
          />
        ))}
        <ShowMore list={list} />
      </ListStates>
      <EditDialog adminId={adminId} announcement={edited} onClose={() => setEdited(undefined)} />
    </Stack>
  );
}

type ActProps = {
  verb: "Edit" | "Clear";
  icon: typeof IconPencil;
  announcement: AnnouncementAnswer;
  onPress: (announcement: AnnouncementAnswer) => void;
};

function ActButton({ verb, icon: Icon, announcement, onPress }: ActProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`${verb} ${announcement.hint}`}
      title={verb}
      onClick={() => onPress(announcement)}
    >
      <Icon size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}

type EditDialogProps = {
  adminId: string;
  /** The dialog is open while this is set. */
  announcement: AnnouncementAnswer | undefined;
  onClose: () => void;
};

function EditDialog({ adminId, announcement, onClose }: EditDialogProps) {
  // The dialog keeps its content while it fades out.
  const [latest, setLatest] = useState(announcement);
  if (announcement !== undefined && announcement !== latest) setLatest(announcement);
  return (
    <Dialog opened={announcement !== undefined} onClose={onClose} title="Edit announcement">
      {latest !== undefined && <EditForm adminId={adminId} announcement={latest} onDone={onClose} />}
    </Dialog>
  );
}

/** Mounted when the dialog opens. */
function EditForm({
  adminId,
  announcement,
  onDone,
}: {
  adminId: string;
  announcement: AnnouncementAnswer;
  onDone: () => void;
}) {
  const queryClient = useQueryClient();
  const { _id: announcementId, hint, message } = announcement;
  const form: AnnouncementForm = useForm({
    initial: { hint, message },
    missing: (values) => {
      const missing = findMissingForAnnouncement(values);
      const isSame = values.hint.trim() === hint && values.message.trim() === message;
      return isSame ? ["Nothing changed yet."] : missing;
    },
    schema: async () => (await import("@ewebal/contract/schemas/admin/announcements")).announcementBody,
    send: async (body) => {
      const answer = await call(announcementCalls.editGeneralAnnouncement, {
        params: { adminId, announcementId },
        body,
      });
      onDone();
      showNotice({ title: answer.message, durationMs: durationsMs.announcementNotice });
      await queryClient.invalidateQueries({ queryKey: ["announcements"] });
    },
  });
  const failure = form.refusal === undefined ? undefined : explainFailure(form.refusal);
  return (
    <Form form={form}>
      <p className="muted">Users who dismissed this announcement see it again with its new text.</p>
      <AnnouncementFields form={form} />
      {failure !== undefined && (
        <Callout tone={failure.tone} title={failure.title} isAnnounced>
          {failure.text}
        </Callout>
      )}
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save
      </SubmitButton>
    </Form>
  );
}

type AnnouncementText = { hint: string; message: string };
type AnnouncementForm = FormState<AnnouncementText>;

function findMissingForAnnouncement({ hint, message }: AnnouncementText): string[] {
  return [hint.trim() === "" && "hint or subject", message.trim() === "" && "message"].filter((name) => name !== false);
}

/** Posts an announcement, and shows the result for the three seconds of the specification. */
function useAnnouncementForm(adminId: string): AnnouncementForm {
  const queryClient = useQueryClient();
  const form: AnnouncementForm = useForm({
    initial: { hint: "", message: "" },
    missing: findMissingForAnnouncement,
    schema: async () => (await import("@ewebal/contract/schemas/admin/announcements")).announcementBody,
    send: async (body) => {
      try {
        const { message } = await call(announcementCalls.makeGeneralAnnouncement, { params: { adminId }, body });
        showNotice({ title: message, durationMs: durationsMs.announcementNotice });
      } catch (error) {
        // An error at a field stays until the field is right.
        if (error instanceof ApiError && Object.keys(error.fields).length > 0) throw error;
        showNotice({ ...explainError("announcement", error), durationMs: durationsMs.announcementNotice });
        return;
      }
      form.set("hint", "");
      form.set("message", "");
      await queryClient.invalidateQueries({ queryKey: ["announcements"] });
    },
  });
  return form;
}

/**
 * Asks, clears the announcement and shows the result. The list is read again in any case: another administrator may
 * have cleared it.
 */
function useClearAnnouncement(adminId: string): (announcement: AnnouncementAnswer) => void {
  const queryClient = useQueryClient();
  const clear = async ({ _id: announcementId, hint }: AnnouncementAnswer): Promise<void> => {
    const isConfirmed = await confirm({
      title: "About to clear out announcement?",
      text: `"${hint}" leaves every user's dashboard.`,
    });
    if (!isConfirmed) return;
    try {
      const { message } = await call(announcementCalls.clearGeneralAnnouncement, {
        params: { adminId, announcementId },
      });
      showNotice({ title: message });
      // The button disappears with its card, so the focus moves to the page.
      document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
    } catch (error) {
      showNotice(explainError("announcementDelete", error));
    }
    await queryClient.invalidateQueries({ queryKey: ["announcements"] });
  };
  return (announcement) => void clear(announcement);
}
