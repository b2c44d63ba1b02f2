import { Textarea, TextInput } from "@mantine/core";
import type { ContentRuleAnswer } from "@ewebal/contract";
import { contentRuleCalls } from "@ewebal/contract/calls";
import { limits, ruleActions, rulePlaces } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import { actionWords, placeWords } from "./rule-words.ts";
import { contentRulesKey } from "./use-content-rules.ts";

type Edited = { rule: ContentRuleAnswer | undefined };

type RuleDialogProps = {
  adminId: string;
  /** The dialog is open while this is set; without a rule it makes a new one. */
  edited: Edited | undefined;
  onClose: () => void;
};

/** Adds a content rule, or changes one. */
export function RuleDialog({ adminId, edited, onClose }: RuleDialogProps) {
  // The dialog keeps its content while it fades out.
  const [latest, setLatest] = useState(edited);
  if (edited !== undefined && edited !== latest) setLatest(edited);
  return (
    <Dialog
      opened={edited !== undefined}
      onClose={onClose}
      title={latest?.rule === undefined ? "Add a rule" : "Edit the rule"}
    >
      {latest !== undefined && (
        <RuleForm key={latest.rule?._id ?? "new"} adminId={adminId} rule={latest.rule} onDone={onClose} />
      )}
    </Dialog>
  );
}

const patternFields: Readonly<Record<string, { label: string; description: string }>> = {
  text: { label: "Word or words", description: "Compared as whole words, in any case." },
  link: { label: "Host name", description: "Such as bit.ly. Its subdomains are meant, too." },
  sender: { label: "Sender name", description: "Look-alikes such as GT8ANK for GTBANK are meant, too." },
};

const noteDescriptions: Readonly<Record<string, string>> = {
  refuse: "The sender reads it as the reason.",
  review: "The review desk shows it as the reason.",
  warn: "The sender reads it while typing.",
};

function RuleForm({ adminId, rule, onDone }: { adminId: string; onDone: () => void } & Edited) {
  const form = useRuleForm({ adminId, rule, onDone });
  const { where, action } = form.values;
  return (
    <Form form={form}>
      <Tiles min={180} gap={16} align="start">
        <NativeSelect label="Where" name="where" value={where} onValue={(next) => form.set("where", next)}>
          {rulePlaces.map((place) => (
            <option key={place} value={place}>
              {placeWords[place]}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect label="Action" name="action" value={action} onValue={(next) => form.set("action", next)}>
          {ruleActions.map((one) => (
            <option key={one} value={one}>
              {actionWords[one].long}
            </option>
          ))}
        </NativeSelect>
      </Tiles>
      <TextInput autoComplete="off" data-autofocus {...patternFields[where]} {...form.field("pattern")} />
      <Tiles min={180} gap={16} align="start">
        <TextInput
          label="Country codes"
          description="Such as 234, 233. Empty: all countries."
          inputMode="tel"
          autoComplete="off"
          {...form.field("countries")}
          onChange={({ currentTarget }) => form.set("countries", currentTarget.value.replaceAll(/[^0-9, ]/g, ""))}
        />
        <TextInput
          label="Networks"
          description="Such as MTN, Airtel. Empty: all networks."
          autoComplete="off"
          {...form.field("networks")}
        />
      </Tiles>
      <Textarea
        label="Note"
        description={noteDescriptions[action]}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={limits.reasonCharactersMax}
        {...form.field("note")}
      />
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        {rule === undefined ? "Add rule" : "Save rule"}
      </SubmitButton>
    </Form>
  );
}

function useRuleForm({ adminId, rule, onDone }: { adminId: string; onDone: () => void } & Edited) {
  const queryClient = useQueryClient();
  return useForm({
    initial: {
      where: rule?.where ?? "text",
      action: rule?.action ?? "refuse",
      pattern: rule?.pattern ?? "",
      countries: rule?.countries.join(", ") ?? "",
      networks: rule?.networks.join(", ") ?? "",
      note: rule?.note ?? "",
    },
    missing: ({ where, pattern, countries }) => [
      ...(pattern.trim() === "" ? [(patternFields[where]?.label ?? "a pattern").toLowerCase()] : []),
      ...(codesOf(countries).every((code) => COUNTRY_CODE.test(code)) ? [] : ["country codes such as 234"]),
    ],
    send: async (values) => {
      const body = {
        where: rulePlaces.find((place) => place === values.where) ?? "text",
        action: ruleActions.find((action) => action === values.action) ?? "refuse",
        pattern: values.pattern.trim(),
        countries: codesOf(values.countries),
        networks: listOf(values.networks),
        note: values.note.trim(),
      };
      const { message } =
        rule === undefined
          ? await call(contentRuleCalls.addContentRule, { params: { adminId }, body })
          : await call(contentRuleCalls.editContentRule, { params: { adminId, ruleId: rule._id }, body });
      showNotice({ title: message });
      onDone();
      await queryClient.invalidateQueries({ queryKey: contentRulesKey });
    },
  });
}

const COUNTRY_CODE = /^[1-9][0-9]{0,3}$/;

function codesOf(text: string): string[] {
  return listOf(text.replaceAll(" ", ","));
}

function listOf(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}
