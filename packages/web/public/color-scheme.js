// Sets light or dark before the first paint; the toggle (ui/color-scheme-toggle.tsx) writes the same key.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("ewebal.colorScheme");
  } catch {
    // Storage may be blocked; the system's choice counts then.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
