import { Kbd } from "@mantine/core";
import { Inline, Stack } from "../layout/boxes.tsx";
import classes from "./shortcuts-help.module.css";

const shortcuts: readonly { keys: readonly string[]; meaning: string }[] = [
  { keys: ["Ctrl", "K"], meaning: "Go to any page" },
  { keys: ["/"], meaning: "Search this list" },
  { keys: ["Ctrl", "Enter"], meaning: "Send the message you are writing" },
  { keys: ["Esc"], meaning: "Close what is open" },
  { keys: ["?"], meaning: "Show these keys" },
];

/** What the dialog says that `?` opens. */
export function ShortcutsHelp() {
  return (
    <Stack as="dl" gap={12}>
      {shortcuts.map(({ keys, meaning }) => (
        <Inline key={meaning} gap={16} align="center" justify="between" className={classes.row}>
          <dt>{meaning}</dt>
          <dd>
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dd>
        </Inline>
      ))}
    </Stack>
  );
}
