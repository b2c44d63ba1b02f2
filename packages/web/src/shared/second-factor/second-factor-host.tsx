import { useEffect, useState, type ComponentType } from "react";
import { setCodeAsker } from "../../lib/api/api.ts";

/**
 * Answers calls that need a fresh second factor while it is mounted: the dialog is fetched when the first one does, because
 * most people never see it.
 */
export function SecondFactorHost() {
  const [Dialog, setDialog] = useState<ComponentType>();
  useEffect(() => {
    setCodeAsker(async (refusal, repeat) => {
      const { CodeDialog, askForCode } = await import("./code-dialog.tsx");
      setDialog(() => CodeDialog);
      return await askForCode(refusal, repeat);
    });
    return () => setCodeAsker(undefined);
  }, []);
  return Dialog === undefined ? null : <Dialog />;
}
