import { Button, TextInput } from "@mantine/core";
import type { TemplateAnswer } from "@ewebal/contract";
import { templateCalls } from "@ewebal/contract/calls";
import { personalLimits } from "@ewebal/contract/rules";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { useCursorPages } from "../../../lib/api/use-cursor-pages.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import classes from "./templates-dialog.module.css";

type TemplatesDialogProps = { composer: Composer; opened: boolean; onClose: () => void };

/** Texts that are kept to send again: chosen, kept under a name, renamed, deleted. */
export function TemplatesDialog({ composer, opened, onClose }: TemplatesDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Templates">
      {opened && <Templates composer={composer} onDone={onClose} />}
    </Dialog>
  );
}

const queryKey = ["templates"];

function Templates({ composer, onDone }: { composer: Composer; onDone: () => void }) {
  const { userId } = composer;
  const list = useCursorPages<TemplateAnswer>({
    queryKey,
    read: async (after, signal) =>
      await call(templateCalls.templates, { params: { userId }, query: after === undefined ? {} : { after }, signal }),
  });
  const take = async (message: string): Promise<void> => {
    const present = composer.getState().message;
    const isLost = present.trim() !== "" && present !== message;
    if (isLost && !(await confirm({ title: "Replace your text?", text: "The template takes its place." }))) return;
    composer.set({ message });
    onDone();
  };
  return (
    <Stack gap={20}>
      <ListStates query={list.query} rowCount={list.rows.length} empty={{ title: "No templates yet", text: EMPTY }}>
        <Stack as="ul" gap={12} className={classes.list} aria-label="Templates">
          {list.rows.map((template) => (
            <Template
              key={template._id}
              userId={userId}
              template={template}
              onTake={() => void take(template.message)}
            />
          ))}
        </Stack>
        {list.hasMore && (
          <Inline justify="center" above={12}>
            <Button size="xs" variant="default" onClick={list.readMore}>
              Show more
            </Button>
          </Inline>
        )}
      </ListStates>
      <SaveForm composer={composer} />
    </Stack>
  );
}

const EMPTY = "Write a text, give it a name below, and choose it here the next time.";

type TemplateProps = { userId: string; template: TemplateAnswer; onTake: () => void };

function Template({ userId, template: { _id: templateId, name, message }, onTake }: TemplateProps) {
  const queryClient = useQueryClient();
  const [isRenaming, setRenaming] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => await call(templateCalls.deleteTemplate, { params: { userId, templateId } }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey }),
    onError: ({ message: reason }) => showNotice({ tone: "error", title: reason }),
  });
  const remove = async (): Promise<void> => {
    if (await confirm({ title: `Delete ${name}?`, text: "This template will be deleted permanently." })) mutate();
  };
  if (isRenaming)
    return (
      <li className={classes.item}>
        <RenameForm userId={userId} templateId={templateId} name={name} onDone={() => setRenaming(false)} />
      </li>
    );
  return (
    <Inline as="li" gap={12} align="start" className={classes.item}>
      <div className={classes.words}>
        <p className="strong anywhere">{name}</p>
        <p className={`${classes.text} muted small anywhere`}>{message}</p>
      </div>
      <Inline gap={4} align="center" className="rigid">
        <Button size="xs" variant="default" aria-label={`Use ${name}`} onClick={onTake}>
          Use
        </Button>
        <button type="button" className="icon-button" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
          <IconPencil size={18} stroke={1.6} aria-hidden />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={`Delete ${name}`}
          disabled={isPending}
          onClick={() => void remove()}
        >
          <IconTrash size={18} stroke={1.6} aria-hidden />
        </button>
      </Inline>
    </Inline>
  );
}

type RenameFormProps = { userId: string; templateId: string; name: string; onDone: () => void };

function RenameForm({ userId, templateId, name: before, onDone }: RenameFormProps) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { name: before },
    missing: ({ name }) => (name.trim() === "" || name.trim() === before ? ["another name"] : []),
    send: async ({ name }) => {
      await call(templateCalls.editTemplate, { params: { userId, templateId }, body: { name: name.trim() } });
      await queryClient.invalidateQueries({ queryKey });
      onDone();
    },
  });
  return (
    <Form form={form}>
      <TextInput
        label="New name"
        autoFocus
        autoComplete="off"
        maxLength={personalLimits.templateNameCharactersMax}
        {...form.field("name")}
      />
      <Refusal screen="service" error={form.refusal} />
      <Inline gap={8} align="start">
        <SubmitButton missing={form.missing} isSending={form.isSending} size="sm">
          Rename
        </SubmitButton>
        <Button variant="default" size="sm" onClick={onDone}>
          Cancel
        </Button>
      </Inline>
    </Form>
  );
}

function SaveForm({ composer }: { composer: Composer }) {
  const { userId } = composer;
  const message = useComposition(composer, (composition) => composition.message);
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { name: "" },
    missing: ({ name }) => [...(message.trim() === "" ? ["message"] : []), ...(name.trim() === "" ? ["name"] : [])],
    send: async ({ name }) => {
      await call(templateCalls.addTemplate, { params: { userId }, body: { name: name.trim(), message } });
      await queryClient.invalidateQueries({ queryKey });
      showNotice({ title: `Kept as ${name.trim()}` });
      form.set("name", "");
    },
  });
  return (
    <Form form={form}>
      <TextInput
        label="Keep the present text as"
        placeholder="Rent reminder"
        autoComplete="off"
        maxLength={personalLimits.templateNameCharactersMax}
        {...form.field("name")}
      />
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending} variant="default">
        Keep as a template
      </SubmitButton>
    </Form>
  );
}
