/** The report's own style sheet: the product's colours, both themes, a printable page. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ground:#f8fafc; --surface:#fff; --line:#e2e8f0; --ink:#0f172a; --muted:#475569;
  --accent:#0369a1; --gain:#15803d; --loss:#b91c1c; --warn:#b45309; --warn-soft:#fffbeb; --off:#fee2e2; --neutral:#f1f5f9; --gain-rgb:21,128,61; --loss-rgb:185,28,28; }
@media (prefers-color-scheme: dark) { :root { --ground:#0b1120; --surface:#111a2c; --line:#26334a; --ink:#e8eef6; --muted:#a3b1c6;
  --accent:#38bdf8; --gain:#4ade80; --loss:#f87171; --warn:#fbbf24; --warn-soft:#2e230d; --off:#3b1a20; --neutral:#17233a; --gain-rgb:74,222,128; --loss-rgb:248,113,113; } }
* { box-sizing: border-box; }
body { margin:0; background:var(--ground); color:var(--ink); font:15px/1.5 ui-sans-serif,system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif; }
main { max-width:1120px; margin:0 auto; padding:28px 20px 56px; }
header { display:flex; flex-wrap:wrap; gap:8px 16px; align-items:center; }
h1 { font-size:26px; line-height:1.2; margin:0; letter-spacing:-.01em; }
h2 { font-size:17px; margin:0 0 12px; }
.tag { font-size:12px; font-weight:700; letter-spacing:.08em; color:var(--warn); background:var(--warn-soft); border:1px solid currentColor; border-radius:6px; padding:2px 8px; }
.muted, caption, footer { color:var(--muted); }
.caveat { border-left:3px solid var(--warn); background:var(--warn-soft); padding:10px 14px; border-radius:0 8px 8px 0; margin:18px 0; }
section { background:var(--surface); border:1px solid var(--line); border-radius:12px; padding:18px; margin-top:18px; break-inside:avoid; }
.cards { display:grid; grid-template-columns:repeat(4,1fr); gap:1px; background:var(--line); padding:0; overflow:hidden; }
.cards div { background:var(--surface); padding:14px 16px; }
.cards dt { color:var(--muted); font-size:13px; }
.cards dd { margin:2px 0 0; font-size:20px; font-weight:600; font-variant-numeric:tabular-nums; }
.cards small { display:block; color:var(--muted); font-size:12px; font-weight:400; line-height:1.35; }
.two { columns:2 420px; column-gap:18px; margin-top:18px; }
.two section { margin:0 0 18px; }
.two table { font-size:13px; } .two th, .two td { padding:6px 6px; }
.two td:first-child { white-space:normal; }
.two td:last-child:not(.n) { white-space:normal; overflow-wrap:anywhere; }
svg { display:block; width:100%; height:auto; } svg.narrow { display:none; }
svg text { font-size:12px; fill:var(--muted); font-variant-numeric:tabular-nums; }
svg .grid { stroke:var(--line); stroke-width:1; }
.legend { display:flex; flex-wrap:wrap; gap:4px 18px; font-size:13px; color:var(--muted); margin:0 0 8px; padding:0; list-style:none; }
.legend i { display:inline-block; width:16px; height:3px; border-radius:2px; margin-right:6px; vertical-align:middle; }
.legend i.block { height:11px; width:11px; border:1px solid var(--line); }
.scroll { overflow-x:auto; }
table { border-collapse:collapse; width:100%; font-size:13.5px; font-variant-numeric:tabular-nums; }
th { text-align:left; font-weight:600; color:var(--muted); }
th,td { padding:6px 8px; border-bottom:1px solid var(--line); white-space:nowrap; }
td.n, th.n { text-align:right; }
td.wrap { white-space:normal; }
.gain { color:var(--gain); } .loss { color:var(--loss); }
.months td, .months th { text-align:right; } .months th:first-child { text-align:left; }
details summary { cursor:pointer; font-weight:600; font-size:17px; }
details[open] summary { margin-bottom:12px; }
footer { margin-top:24px; font-size:13px; }
@media (max-width:520px) { main { padding:18px 12px 40px; } h1 { font-size:21px; } section { padding:14px 12px; } .cards { grid-template-columns:1fr 1fr; padding:0; } .cards dd { font-size:17px; } svg.wide { display:none; } svg.narrow { display:block; } th,td { padding:6px 7px; } }
@media print { :root { color-scheme:light; --ground:#fff; } body { font-size:11px; } main { max-width:none; padding:0; } section { border-color:#ccc; } details > *:not(summary) { display:block; } .scroll { overflow:visible; } thead { display:table-header-group; } tr { break-inside:avoid; } section.long { break-inside:auto; } }
`;
