import { Badge, Button } from "@mantine/core";
import type { ContentRuleAnswer } from "@ewebal/contract";
import { useState } from "react";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatCounted } from "../../../lib/texts/format.ts";
import { TextLink } from "../../../ui/kit/links.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { actionWords, placeWords, scopeInWords } from "./rule-words.ts";
import { TryPanel } from "./try-panel.tsx";
import { useContentRules, useRuleActs } from "./use-content-rules.ts";

/** Words, links and sender names that are refused, reviewed or warned of. */
export function ContentRulesPage() {
  const { adminId } = useSession();
  const query = useContentRules();
  const rules = query.data ?? [];
  const [edited, setEdited] = useState<{ rule: ContentRuleAnswer | undefined }>();
  return (
    <Page
      title="Content rules"
      intro="Rules hold at once, on every way in which a message is sent or a sender name is given. The strictest rule decides."
      actions={<Button onClick={() => setEdited({ rule: undefined })}>Add rule</Button>}
    >
      <Panel
        title="Rules"
        aside={
          <Inline gap={4} across={16} wraps align="center">
            {rules.length > 0 && <span className="muted small numeric">{formatCounted(rules.length, "rule")}</span>}
            <TextLink to={paths.auditLog} search={{ kind: "sending" }}>
              Earlier changes
            </TextLink>
          </Inline>
        }
      >
        <ListStates
          query={query}
          rowCount={rules.length}
          empty={{
            title: "There are no content rules",
            text: "Add words, host names or sender names to refuse, review or warn of.",
          }}
          skeletonRows={3}
        >
          <RulesTable rules={rules} onEdit={(rule) => setEdited({ rule })} />
        </ListStates>
      </Panel>
      <TryPanel rules={rules} />
      {adminId !== null && <RuleDialog adminId={adminId} edited={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}

type RulesTableProps = {
  rules: readonly ContentRuleAnswer[];
  onEdit: (rule: ContentRuleAnswer) => void;
};

function RulesTable({ rules, onEdit }: RulesTableProps) {
  const acts = useRuleActs();
  const columns: Column<ContentRuleAnswer>[] = [
    {
      title: "Rule",
      isHeading: true,
      cell: ({ pattern }) => <span className="anywhere">{pattern}</span>,
      width: "18%",
    },
    { title: "Where", cell: ({ where }) => placeWords[where], width: "11%" },
    { title: "Action", cell: (rule) => <ActionBadge rule={rule} />, width: "11%" },
    { title: "For", cell: (rule) => scopeInWords(rule), width: "16%" },
    {
      title: "Note",
      isText: true,
      cell: ({ note }) =>
        note === "" ? <span className="muted">None</span> : <span className="anywhere">{note}</span>,
    },
    {
      title: "Change",
      isActions: true,
      cell: (rule) => <RuleButtons rule={rule} acts={acts} onEdit={() => onEdit(rule)} />,
    },
  ];
  return <DataTable caption="Content rules" columns={columns} rows={rules} rowKey={({ _id }) => _id} />;
}

function ActionBadge({ rule: { action, isEnabled } }: { rule: ContentRuleAnswer }) {
  const { label, color } = actionWords[action];
  return (
    <Inline gap={4} across={4} wraps>
      <Badge color={isEnabled ? color : "gray"} variant="light" miw="max-content">
        {isEnabled ? label : `${label} (off)`}
      </Badge>
    </Inline>
  );
}

type RuleButtonsProps = {
  rule: ContentRuleAnswer;
  acts: ReturnType<typeof useRuleActs>;
  onEdit: () => void;
};

function RuleButtons({ rule, acts, onEdit }: RuleButtonsProps) {
  const { pattern, isEnabled } = rule;
  return (
    <Inline gap={8}>
      <Button size="xs" variant="default" aria-label={`Edit the rule ${pattern}`} onClick={onEdit}>
        Edit
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={`Switch the rule ${pattern} ${isEnabled ? "off" : "on"}`}
        onClick={() => acts.switchTo(rule, !isEnabled)}
      >
        {isEnabled ? "Switch off" : "Switch on"}
      </Button>
      <Button size="xs" variant="default" aria-label={`Delete the rule ${pattern}`} onClick={() => acts.remove(rule)}>
        Delete
      </Button>
    </Inline>
  );
}
