/** The look of the page (dashboards/web/styles/), as much of it as a document needs. */
export const styles = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#ffffff, #101418);
  --line: light-dark(#e2e5e9, #272e35);
  --line-2: light-dark(#c3c9d0, #45505a);
  --ink: light-dark(#15191e, #e8ebee);
  --ink-2: light-dark(#4a525c, #b0b8c1);
  --ink-3: light-dark(#626b76, #8f98a2);
  --warn: light-dark(#8a4b00, #f0b35e);
  --c1: light-dark(#2460a7, #4a8ad6);
}
body {
  margin: 0 auto;
  padding: 24px;
  max-width: 1280px;
  background: var(--bg);
  color: var(--ink);
  font: 13px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
    sans-serif;
  font-variant-numeric: tabular-nums;
}
h1 { margin: 0 0 24px; font-size: 20px; font-weight: 600; overflow-wrap: anywhere; }
h2, figcaption { margin: 32px 0 8px; font-size: 15px; font-weight: 600; }
figure { margin: 0 0 32px; }
svg { display: block; width: 100%; height: auto; font-size: 12px; }
svg text { fill: var(--ink-3); }
.halo { paint-order: stroke; stroke: var(--bg); stroke-width: 4px; }
.line { stroke: var(--line); }
.axis { stroke: var(--ink-2); }
.solid { fill: var(--c1); }
.pale { fill: var(--c1); fill-opacity: 0.18; stroke: var(--c1); }
.scroll { position: relative; overflow-x: auto; margin-bottom: 24px; }
table { border-collapse: collapse; }
th, td { padding: 4px 16px 4px 0; text-align: left; vertical-align: top; font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
.right { text-align: right; white-space: nowrap; }
thead th { color: var(--ink-3); border-bottom: 1px solid var(--line-2); white-space: nowrap; }
tbody tr + tr > * { border-top: 1px solid var(--line); }
tfoot tr > * { border-top: 1px solid var(--line-2); font-weight: 600; }
tbody th { overflow-wrap: anywhere; min-width: 16ch; }
code { font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
td code { overflow-wrap: anywhere; }
.mark { margin-right: 4px; color: var(--ink-3); }
.warn { color: var(--warn); font-weight: 600; }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
summary { margin-top: 8px; color: var(--ink-2); cursor: pointer; }
ul { padding: 0; list-style: none; color: var(--ink-2); }
footer { margin-top: 32px; color: var(--ink-3); }
@media print {
  :root { color-scheme: light; }
  body { padding: 0; max-width: none; font-size: 10px; }
  .scroll { overflow: visible; }
  th, td { padding-right: 8px; }
  tr, figure > svg { break-inside: avoid; }
  summary { display: none; }
}
`;
