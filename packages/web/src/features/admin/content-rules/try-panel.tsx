import { Badge, Textarea, TextInput } from "@mantine/core";
import type { ContentRuleAnswer } from "@ewebal/contract";
import { limits } from "@ewebal/contract/rules";
import { useDeferredValue, useState } from "react";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { actionWords, findMet, placeWords, scopeInWords, verdictOf } from "./rule-words.ts";

/** Says what a message would meet, without sending anything. */
export function TryPanel({ rules }: { rules: readonly ContentRuleAnswer[] }) {
  const [senderName, setSenderName] = useState("");
  const [message, setMessage] = useState("");
  const tried = useDeferredValue({ senderName, message });
  const met = findMet(rules, tried);
  const isEmpty = tried.senderName === "" && tried.message === "";
  return (
    <Panel title="Try a message">
      <Stack gap={16}>
        <TextInput
          label="Sender name"
          autoComplete="off"
          maxLength={limits.senderNameCharactersMax}
          value={senderName}
          onChange={({ currentTarget }) => setSenderName(currentTarget.value)}
        />
        <Textarea
          label="Message"
          description="Nothing is sent."
          autosize
          minRows={3}
          maxRows={10}
          maxLength={limits.messageCharactersMax}
          value={message}
          onChange={({ currentTarget }) => setMessage(currentTarget.value)}
        />
        <div role="status">
          {isEmpty ? (
            <p className="muted">Type a message to see which rules it meets.</p>
          ) : (
            <Stack gap={8}>
              <p className="strong">{verdictOf(met)}</p>
              <Stack as="ul" gap={8} aria-label="Rules that are met">
                {met.map((rule) => (
                  <li key={rule._id}>
                    <Met rule={rule} />
                  </li>
                ))}
              </Stack>
            </Stack>
          )}
        </div>
      </Stack>
    </Panel>
  );
}

function Met({ rule }: { rule: ContentRuleAnswer }) {
  const { label, color } = actionWords[rule.action];
  return (
    <Inline gap={4} across={8} wraps align="center">
      <Badge color={color} variant="light" miw="max-content">
        {label}
      </Badge>
      <span className="anywhere">{`${placeWords[rule.where]}: ${rule.pattern}`}</span>
      <span className="muted small">{scopeInWords(rule)}</span>
    </Inline>
  );
}
