import { IconArrowUp, IconMessageCircle } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useBrand } from "../../../lib/brand.ts";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { toChatAddress } from "./chat-address.ts";
import classes from "./floating-links.module.css";

/** A chat with the support phone, and the way back up once the page is scrolled. */
export function FloatingLinks() {
  const chat = useBrand()?.chat ?? "";
  const isScrolled = useIsScrolled();
  return (
    <aside className={classes.place} aria-label="Quick links">
      {isScrolled && (
        <Inline
          as="button"
          type="button"
          gap={8}
          align="center"
          justify="center"
          className={`${classes.up} small strong`}
          aria-label="Scroll to top"
          onClick={() => window.scrollTo({ top: 0, behavior: "smooth" })}
        >
          <IconArrowUp size={20} stroke={1.8} aria-hidden />
        </Inline>
      )}
      {chat !== "" && (
        <Inline
          as="a"
          gap={8}
          align="center"
          justify="center"
          className={`${classes.chat} small strong`}
          aria-label="Chat"
          href={toChatAddress(chat)}
          target="_blank"
          rel="noreferrer"
        >
          <IconMessageCircle size={20} stroke={1.8} aria-hidden />
          <span className={classes.word}>Chat</span>
        </Inline>
      )}
    </aside>
  );
}

function useIsScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const update = (): void => setScrolled(window.scrollY > 600);
    update();
    window.addEventListener("scroll", update, { passive: true });
    return () => window.removeEventListener("scroll", update);
  }, []);
  return isScrolled;
}
