import type { MantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { useIsHydrated } from "../../lib/browser/hydration.ts";
import classes from "./color-scheme-toggle.module.css";
import { useScheme } from "./theme-provider.tsx";

const next: Record<MantineColorScheme, MantineColorScheme> = { light: "dark", dark: "auto", auto: "light" };
const names: Record<MantineColorScheme, string> = { light: "light", dark: "dark", auto: "as the device" };
const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop };

/** Light, dark, as the device: each press goes on to the next. Takes the colour of the text round it. */
export function ColorSchemeToggle() {
  const scheme = useScheme();
  const { setColorScheme } = scheme;
  const isHydrated = useIsHydrated();
  const colorScheme = isHydrated ? scheme.colorScheme : "auto";
  const Icon = icons[colorScheme];
  const label = `Colours: ${names[colorScheme]}. Change to ${names[next[colorScheme]]}`;
  return (
    <button
      type="button"
      className={`${classes.toggle} icon-button`}
      disabled={!isHydrated}
      data-for-stranger={!isHydrated || undefined}
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(next[colorScheme])}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
    </button>
  );
}
