/**
 * The frame of both dashboards: side menu (an overlay on small screens), top bar, content of at most 1200 px. The caller
 * fills the top bar.
 */
import "../../ui/styles/signed-in.css";
import { Burger, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { BrandHeading } from "../../ui/kit/brand-heading.tsx";
import { ColorSchemeToggle } from "../../ui/theme/color-scheme-toggle.tsx";
import { setNoticePlacing } from "../../ui/feedback/notices.tsx";
import { placeNotices } from "../../ui/feedback/place-notices.ts";
import { ConfirmHost } from "../../ui/dialogs/confirm.tsx";
import classes from "./shell.module.css";
import { SecondFactorHost } from "../second-factor/second-factor-host.tsx";
import { Shortcuts } from "../../ui/navigation/shortcuts.tsx";
import { SideMenu, type MenuPanel } from "../../ui/navigation/side-menu.tsx";
import { useReturnedFocus } from "../../ui/dialogs/use-returned-focus.ts";
import { Inline } from "../../ui/layout/boxes.tsx";

setNoticePlacing(placeNotices);

type ShellProps = {
  menuLabel: string;
  menu: readonly MenuPanel[];
  /** Names a side that must not be taken for the customers', and colours it. */
  mark?: string;
  /** Across the top, above everything. */
  banner?: ReactNode;
  /** Left part of the top bar: the balance. */
  figures?: ReactNode;
  /** Right part of the top bar: mode switch and person. */
  person: ReactNode;
  onLogout: () => void;
  children: ReactNode;
};

export function Shell({ menuLabel, menu, mark, banner, figures, person, onLogout, children }: ShellProps) {
  const [isMenuOpen, { open, close }] = useDisclosure(false);
  const menuRef = useReturnedFocus<HTMLDivElement>(isMenuOpen);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [pathname, close]);

  const logOut = (): void => {
    close();
    onLogout();
  };
  return (
    <div className={classes.shell} data-marked={mark !== undefined}>
      <aside className={classes.side}>
        <Inline align="center" className={`${classes.brand} rigid`}>
          <BrandHeading colored />
          <Mark name={mark} />
        </Inline>
        <SideMenu label={menuLabel} panels={menu} onLogout={logOut} />
      </aside>
      <div className={classes.body}>
        <header className={classes.header}>
          {banner}
          <div className={classes.top} data-in-sight>
            <Burger
              className={classes.burger}
              opened={isMenuOpen}
              onClick={open}
              size="sm"
              aria-label="Open the menu"
            />
            <Mark name={mark} isInBar />
            {figures}
            <Inline gap={12} align="center" className={`${classes.person} shrinkable`} data-known={Boolean(person)}>
              <Shortcuts menu={menu} onLogout={logOut} />
              <ColorSchemeToggle />
              {person}
            </Inline>
          </div>
        </header>
        <main id="main" tabIndex={-1} className={classes.content}>
          {children}
        </main>
      </div>
      <Drawer.Root
        ref={menuRef}
        returnFocus={false}
        opened={isMenuOpen}
        onClose={close}
        size={280}
        classNames={{ content: classes.drawer }}
      >
        <Drawer.Overlay backgroundOpacity={0.5} />
        <Drawer.Content aria-label={menuLabel}>
          <Inline align="center" justify="between" className={classes.drawerTop}>
            <Inline gap={8} align="center">
              <BrandHeading colored />
              <Mark name={mark} />
            </Inline>
            <Drawer.CloseButton aria-label="Close the menu" />
          </Inline>
          <Drawer.Body className={classes.drawerBody} data-marked={mark !== undefined}>
            <SideMenu label={menuLabel} panels={menu} onLogout={logOut} />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <ConfirmHost />
      <SecondFactorHost />
    </div>
  );
}

/** @param isInBar where the side menu is out of sight. */
function Mark({ name, isInBar = false }: { name: string | undefined; isInBar?: boolean }) {
  if (name === undefined) return null;
  return <span className={`${classes.mark} ${isInBar ? classes.markInBar : ""}`}>{name}</span>;
}
