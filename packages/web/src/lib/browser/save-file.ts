/** Long enough for any browser to start the download. */
const KEPT_MS = 60_000;

/** Gives the person a file that was made in the page. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
