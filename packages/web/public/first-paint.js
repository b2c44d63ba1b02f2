// Decides what must not change after the first paint: light or dark, and whether the document on its way is a stranger's.
(function () {
  var root = document.documentElement;
  var chosen = null;
  var signedIn = null;
  try {
    // The toggle (ui/theme/theme-provider.tsx) and the sign-in (lib/session/session.ts) write these.
    chosen = localStorage.getItem("ewebal.colorScheme");
    if (localStorage.getItem("ewebal.userId")) signedIn = "user";
    else if (localStorage.getItem("ewebal.adminId")) signedIn = "admin";
  } catch {
    // Storage may be blocked; the system's choice counts then.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  // What stands round an installed page has its colour, also when the toggle changes it.
  function paint() {
    var isDark = root.getAttribute("data-mantine-color-scheme") === "dark";
    document.querySelector('meta[name="theme-color"]').setAttribute("content", isDark ? "#0c1320" : "#f5f7fb");
  }
  new MutationObserver(paint).observe(root, { attributeFilter: ["data-mantine-color-scheme"] });
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  // The server draws every page for a stranger; what differs is hidden until it is drawn for this person.
  if (signedIn || chosen) root.setAttribute("data-known", "");
  if (signedIn) root.setAttribute("data-signed-in", signedIn);
})();
