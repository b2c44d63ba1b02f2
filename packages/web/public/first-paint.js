// Decides what must not change after the first paint: light or dark, and whether the document on its way is a stranger's.
(function () {
  var root = document.documentElement;
  var chosen = null;
  var id = null;
  try {
    // The toggle (ui/theme/theme-provider.tsx) and the sign-in (lib/session.ts) write these.
    chosen = localStorage.getItem("ewebal.colorScheme");
    id = localStorage.getItem("ewebal.userId") || localStorage.getItem("ewebal.adminId");
  } catch {
    // Storage may be blocked; the system's choice counts then.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  // The server draws every page for a stranger; what differs is hidden until it is drawn for this person.
  if (id || chosen) root.setAttribute("data-known", "");
  if (id) root.setAttribute("data-signed-in", "");
})();
