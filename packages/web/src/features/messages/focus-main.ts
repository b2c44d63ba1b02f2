/** A button that is gone with its row must not take the focus along. */
export function focusMain(): void {
  document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
}
