import { ActionIcon } from "@mantine/core";
import { IconCommand } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Dialog } from "../dialogs/dialog.tsx";
import classes from "./shortcuts.module.css";
import type { MenuPanel } from "./side-menu.tsx";

/** Fetched when they are first asked for; most people never do. */
const CommandPalette = lazy(async () => ({ default: (await import("./command-palette.tsx")).CommandPalette }));
const ShortcutsHelp = lazy(async () => ({ default: (await import("./shortcuts-help.tsx")).ShortcutsHelp }));

type ShortcutsProps = {
  menu: readonly MenuPanel[];
  onLogout: () => void;
};

/** The keys of both dashboards: Ctrl+K goes anywhere, `/` searches the page's list, `?` says which keys there are. */
export function Shortcuts({ menu, onLogout }: ShortcutsProps) {
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const wasPaletteOpen = useRef(false);
  wasPaletteOpen.current ||= isPaletteOpen;

  const showHelp = (): void => {
    // In one step, so that the palette has given the focus back before the keys note who has it.
    setPaletteOpen(false);
    setHelpOpen(true);
  };

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPaletteOpen((isOpen) => !isOpen);
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
      if (event.key === "?") setHelpOpen(true);
      else if (event.key === "/") {
        event.preventDefault();
        const search = document.querySelector<HTMLInputElement>("input[data-search]");
        if (search === null) setPaletteOpen(true);
        else search.focus();
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={classes.button}
        aria-label="Go to a page"
        aria-keyshortcuts="Control+K"
        title="Go to a page (Ctrl+K)"
        onClick={() => setPaletteOpen(true)}
      >
        <IconCommand size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
      {wasPaletteOpen.current && (
        <Suspense>
          <CommandPalette
            opened={isPaletteOpen}
            onClose={() => setPaletteOpen(false)}
            menu={menu}
            onHelp={showHelp}
            onLogout={onLogout}
          />
        </Suspense>
      )}
      <Dialog opened={isHelpOpen} onClose={() => setHelpOpen(false)} title="Keyboard" size="sm">
        <Suspense>
          <ShortcutsHelp />
        </Suspense>
      </Dialog>
    </>
  );
}

/** A key that belongs to a field is none of ours. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}
