"""The look of the report: light, dark and on paper, without anything from outside."""

ARMS = 8
"""Colours for arms; further ones repeat with another dash."""

STYLE = """
:root{--bg:#fbfbf9;--card:#fff;--fg:#1d2023;--dim:#62676d;--line:#dedfdc;--faint:#f1f1ee;
--link:#1f5fa8;--up:#0a7a72;--down:#b5471b;--flat:#8d9399;
--a0:#2563a8;--a1:#c2571a;--a2:#2f7d4f;--a3:#8a4fa3;--a4:#b03060;--a5:#70701c;--a6:#35798a;
--a7:#7a5230}
@media (prefers-color-scheme:dark){:root{--bg:#15181b;--card:#1c2024;--fg:#e7e7e3;--dim:#a0a6ac;
--line:#343a40;--faint:#23282d;--link:#82b7f5;--up:#4fd0c3;--down:#ff9a70;--flat:#7d848b;
--a0:#6fb0f5;--a1:#f29b62;--a2:#66c890;--a3:#c592e6;--a4:#f383a8;--a5:#cfca62;--a6:#6fc9d9;
--a7:#cfa075;color-scheme:dark}}
*{box-sizing:border-box}
html{scroll-padding-top:3.2rem}
body{margin:0;background:var(--bg);color:var(--fg);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header.top,footer{max-width:1240px;margin:0 auto;padding:0 1.4rem}
header.top{padding-top:2.2rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .3rem;letter-spacing:-.01em}
h2{font-size:1.25rem;margin:2.6rem 0 .7rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{font-size:1.02rem;margin:1.6rem 0 .5rem}
h4{font-size:.93rem;margin:1rem 0 .3rem}
p{margin:.4rem 0 .8rem;max-width:76ch}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
td a.n{color:inherit;border-bottom:1px dotted var(--dim)}td a.n:hover{text-decoration:none;
border-bottom-style:solid}
code,.mono{font:.86em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
p.wide{max-width:none}.dim{color:var(--dim)}.small{font-size:.86em}
nav{position:sticky;top:0;z-index:2;background:var(--bg);border-bottom:1px solid var(--line);
margin-top:1rem}
nav div{max-width:1240px;margin:0 auto;padding:.5rem 1.4rem;display:flex;gap:.3rem 1.2rem;
flex-wrap:wrap;font-size:.9rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr));gap:1rem;
margin:1.2rem 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.9rem 1.1rem}
.card{border-left-width:4px}.card.better{border-left-color:var(--up)}
.card.worse{border-left-color:var(--down)}.card.open{border-left-color:var(--flat)}
.card .say{font-size:1.08rem;font-weight:600;margin:0 0 .35rem}
.card p{margin:.25rem 0}.card h3{margin-top:0}
.note{border-left:3px solid var(--a1);background:var(--faint);padding:.5rem .8rem;margin:.5rem 0;
max-width:90ch;border-radius:0 6px 6px 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.36rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--dim);font-size:.83rem}
thead th{vertical-align:bottom;border-bottom:2px solid var(--line)}
tbody th{font-weight:500;color:var(--fg);font-size:.9rem;white-space:nowrap}
tr.layer th{background:var(--faint);color:var(--dim);font-size:.78rem;text-transform:uppercase;
letter-spacing:.05em}
.r{text-align:right}.c{text-align:center}.w{white-space:nowrap}
td.q{min-width:15rem;max-width:30rem}bdi{overflow-wrap:break-word}
td.t{min-width:10rem}td.u{overflow-wrap:anywhere;min-width:9rem}
.up{color:var(--up)}.down{color:var(--down)}
.chip{display:inline-block;border:1px solid var(--line);border-radius:10px;padding:0 .5rem;
font-size:.8rem;white-space:nowrap;background:var(--card)}
.chip.whole{border-color:var(--up);color:var(--up)}
.chip.cut{border-color:var(--a1);color:var(--a1);border-style:dashed}
.chip.missed,.chip.not{border-color:var(--flat);color:var(--dim)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1rem}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;
padding:.8rem 1rem}
figcaption{font-size:.9rem;margin-bottom:.3rem}figcaption b{display:block}
svg{display:block;width:100%;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Roboto,Arial,
sans-serif;fill:var(--fg)}
svg .grid{stroke:var(--line);stroke-width:1}svg .axis{stroke:var(--dim);stroke-width:1}
svg .head{font-weight:600;font-size:12.5px}svg .tick{fill:var(--dim);font-size:11px}
svg .mark{stroke:var(--dim);stroke-dasharray:4 4}
svg .l{fill:none;stroke-width:2;stroke-linejoin:round}
svg .halo{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
.tight table{font-size:.85rem}.tight th,.tight td{padding:.3rem .42rem}
.tight td.small{line-height:1.25}
.ends{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1rem;
align-items:start}.ends>div>*{margin-bottom:1rem}
td svg{width:112px;min-width:112px;margin-top:.15rem}
.sw{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.45em;
vertical-align:-.05em}
.list{background:var(--card);border:1px solid var(--line);border-radius:6px;margin:.5rem 0;
padding:.5rem .8rem;max-height:11rem;overflow:auto;font-size:.88rem}
.list h4{margin:0 0 .2rem}.list p{margin:.15rem 0;max-width:none}
.list:target,tr:target>*{outline:2px solid var(--link);outline-offset:-1px}
.list:target{max-height:none}
details>summary{cursor:pointer;color:var(--link);font-size:.9rem;margin:.5rem 0}
footer{color:var(--dim);font-size:.85rem;padding-top:2rem;padding-bottom:3rem}
footer dt{font-weight:600;color:var(--fg)}footer dd{margin:0 0 .4rem}
@media print{@page{margin:14mm}
:root{--bg:#fff;--card:#fff;--fg:#000;--dim:#444;--line:#bbb;--faint:#f3f3f3;--link:#000;
--up:#0a6a63;--down:#a03c14;--flat:#777;--a0:#1f559a;--a1:#b04c12;--a2:#2a6f46;--a3:#7a4491;
--a4:#9a2852;--a5:#5f5f18;--a6:#2c6877;--a7:#6a4628;color-scheme:light}
body{font-size:10pt}nav,.lists,details>summary{display:none}
main,header.top,footer{max-width:none;padding:0}
h2,h3,h4{break-after:avoid}figure,.card,tr,.note{break-inside:avoid}
.figures,.ends{grid-template-columns:1fr 1fr}table{font-size:8.5pt}.scroll{overflow:visible}
td.q,td.t,td.u{min-width:0}.tight table{font-size:7pt}.tight th,.tight td{padding:.18rem .25rem}
.tight tbody th{font-size:7pt}.tight thead th{font-size:6.5pt}.tight td.small{font-size:6.5pt}
td svg{width:70px;min-width:70px}thead{display:table-header-group}}
"""
