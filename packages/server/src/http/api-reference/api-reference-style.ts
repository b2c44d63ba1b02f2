/** The look of the API reference: the product's colours (web/src/ui/theme/tokens.css) without its scripts. */
export const API_REFERENCE_STYLE = `
:root { color-scheme: light dark; --page: #F5F7FB; --surface: #FFFFFF; --text: #141D2B; --muted: #566275; --brand: #0B2352; --link: #1F4A97; --line: #DDE3ED; --code: #EEF2F8; --get: #12663B; --post: #1F4A97; --patch: #87480A; --delete: #B42318 }
@media (prefers-color-scheme: dark) {
  :root { --page: #0C1320; --surface: #141D2E; --text: #E6EBF4; --muted: #A5B1C6; --brand: #FFFFFF; --link: #9DBBF0; --line: #2A3650; --code: #1C2740; --get: #74D3A2; --post: #9DBBF0; --patch: #F0B860; --delete: #FF9F95 }
}
* { box-sizing: border-box }
html { scroll-padding-top: 72px }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
a { color: var(--link) }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px }
header { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; justify-content: space-between; gap: 16px; height: 56px; padding: 0 24px; background: var(--surface); border-bottom: 1px solid var(--line) }
header nav { display: flex; gap: 20px; font-size: 14px }
.brand { font-size: 20px; font-weight: 700; color: var(--brand); text-decoration: none }
.brand span { font-weight: 400; color: var(--muted) }
.frame { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 1200px; margin: 0 auto }
.contents { display: none }
.contents ul { margin: 0; padding: 0; list-style: none }
.contents a { display: block; padding: 6px 12px; border-radius: 8px; color: var(--text); font-size: 14px; text-decoration: none }
.contents a:hover { background: var(--code); color: var(--link) }
main { min-width: 0; padding: 24px 16px 96px }
h1 { margin: 0 0 8px; font-size: 24px }
h2 { margin: 40px 0 12px; font-size: 20px }
h3 { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; margin: 0; font-size: 14px; font-weight: 600; overflow-wrap: anywhere }
h4 { margin: 16px 0 4px; font-size: 14px }
.intro { max-width: 72ch; color: var(--muted) }
article { margin: 0 0 12px; padding: 16px 20px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px }
article > p { margin: 4px 0 0; color: var(--muted); font-size: 14px }
.method { font-family: ui-monospace, Menlo, Consolas, monospace; color: var(--post) }
.method[data-method="GET"] { color: var(--get) }
.method[data-method="PATCH"] { color: var(--patch) }
.method[data-method="DELETE"] { color: var(--delete) }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.875em }
pre { overflow-x: auto; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--code) }
:not(pre) > code { overflow-wrap: anywhere }
.refusals code { white-space: nowrap }
summary { margin-top: 8px; color: var(--link); font-size: 14px; cursor: pointer }
.type { margin: 0 0 4px; color: var(--muted); font-size: 14px }
.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: 14px }
th { padding: 0 12px 6px 0; color: var(--muted); font-size: 12px; text-align: start }
td { padding: 8px 12px 8px 0; border-top: 1px solid var(--line); vertical-align: top }
td:last-child, th:last-child { padding-right: 0 }
@media (width >= 992px) {
  .frame { grid-template-columns: 220px minmax(0, 1fr) }
  .contents { position: sticky; top: 56px; display: block; align-self: start; height: calc(100dvh - 56px); padding: 24px 12px; overflow-y: auto }
  main { padding: 32px 32px 96px }
}
@media print { header, .contents, summary { display: none } }
`;
