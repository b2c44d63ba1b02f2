import type { KeyboardEvent } from "react";

/**
 * Ctrl+Enter sends. It asks first, because two keys are pressed more easily by mistake than a button.
 *
 * @param canSend otherwise the keys do nothing.
 */
export function sendKeys(
  canSend: boolean,
  ask: () => Promise<boolean>,
  send: () => void,
): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    if (canSend) void ask().then((isConfirmed) => isConfirmed && send());
  };
}
