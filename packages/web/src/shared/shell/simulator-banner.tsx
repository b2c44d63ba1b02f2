import { IconAntennaBarsOff } from "@tabler/icons-react";
import { useBrand } from "../../lib/brand.ts";
import { paths } from "../../lib/paths.ts";
import classes from "../../ui/feedback/banner.module.css";
import { TextLink } from "../../ui/kit/links.tsx";
import { Inline } from "../../ui/layout/boxes.tsx";

/** The simulator is never mistaken for a carrier; what it carried can be read on its phones. */
export function SimulatorBanner() {
  if (useBrand()?.isSimulated !== true) return null;
  return (
    <Inline
      gap={0}
      across={8}
      wraps
      align="center"
      justify="center"
      className={`${classes.banner} small`}
      data-tone="info"
    >
      <IconAntennaBarsOff size={16} stroke={1.8} aria-hidden />
      <span>Simulator: no real SMS leaves this machine</span>
      <TextLink to={paths.virtualPhones}>Virtual phones</TextLink>
    </Inline>
  );
}
