import "@mantine/spotlight/styles.layer.css";
import { ModalTitle } from "@mantine/core";
import { createSpotlight, Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import { IconKeyboard, IconLogout, IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import type { MenuPanel } from "./side-menu.tsx";
import { useReturnedFocus } from "../dialogs/use-returned-focus.ts";

type CommandPaletteProps = {
  opened: boolean;
  onClose: () => void;
  /** Each entry is a page to go to. */
  menu: readonly MenuPanel[];
  onHelp: () => void;
  onLogout: () => void;
};

const [store, spotlight] = createSpotlight();

/** Goes anywhere by typing a part of its name. */
export function CommandPalette({ opened, onClose, menu, onHelp, onLogout }: CommandPaletteProps) {
  const navigate = useNavigate();
  const ref = useReturnedFocus<HTMLDivElement>(opened);
  useEffect(() => (opened ? spotlight.open() : spotlight.close()), [opened]);

  const pages: SpotlightActionData[] = menu.flatMap(({ title, entries }) =>
    entries.map(({ label, to, icon: EntryIcon }) => ({
      id: to,
      label,
      description: title,
      leftSection: <EntryIcon size={20} stroke={1.6} aria-hidden />,
      onClick: () => void navigate({ to }),
    })),
  );
  const others: SpotlightActionData[] = [
    {
      id: "keyboard",
      label: "Keyboard",
      description: "List of keyboard shortcuts",
      leftSection: <IconKeyboard size={20} stroke={1.6} aria-hidden />,
      onClick: onHelp,
    },
    {
      id: "logout",
      label: "Logout",
      leftSection: <IconLogout size={20} stroke={1.6} aria-hidden />,
      onClick: onLogout,
    },
  ];
  return (
    <Spotlight
      ref={ref}
      returnFocus={false}
      store={store}
      actions={[...pages, ...others]}
      shortcut={null}
      onSpotlightClose={onClose}
      nothingFound="No such page"
      highlightQuery
      scrollable
      maxHeight={420}
      // What scrolls must be reached by keyboard, too.
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      searchProps={{
        placeholder: "Where to?",
        "aria-label": "Go to a page",
        leftSection: (
          <>
            {/* The dialog has its name from it; a header of its own would be a second banner of the page. */}
            <ModalTitle className="visually-hidden">Go to a page</ModalTitle>
            <IconSearch size={20} stroke={1.6} aria-hidden />
          </>
        ),
      }}
    />
  );
}
