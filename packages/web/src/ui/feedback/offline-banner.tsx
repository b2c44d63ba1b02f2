import { IconWifiOff } from "@tabler/icons-react";
import { useSyncExternalStore } from "react";
import { networkLost } from "../../lib/texts/fixed-texts.ts";
import { Inline } from "../layout/boxes.tsx";
import classes from "./banner.module.css";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** A banner across the top while the browser is offline. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!isOnline && (
        <Inline
          gap={0}
          across={8}
          wraps
          align="center"
          justify="center"
          className={`${classes.banner} small`}
          data-tone="error"
        >
          <IconWifiOff size={16} stroke={1.8} aria-hidden />
          <span>
            {networkLost.title}. {networkLost.text}
          </span>
        </Inline>
      )}
    </div>
  );
}
