import { type Judged, type Outcome, type Report, summaryOf } from './checks.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
/** What XML 1.0 does not allow, however it is written. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text for HTML and XML, in an element or in quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll(NOT_IN_XML, '\u{fffd}')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** What failed comes first. */
const GROUPS: readonly (readonly [Outcome, string])[] = [
  ['failed', 'Failed'],
  ['expected', 'Failed as expected'],
  ['notChecked', 'Not checked'],
  ['passed', 'Passed'],
];

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
li { margin: .5rem 0; } ul { padding-left: 1.2rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .2rem 0; font-size: .85rem; }
small { opacity: .7; }`;

/** A page that needs nothing else. */
export function htmlOf({ name, subject, checks }: Report): string {
  const groups = GROUPS.map(([outcome, title]) => {
    const own = checks.filter((check) => check.outcome === outcome);
    if (own.length === 0) return '';
    return `<h2>${title} (${own.length})</h2>\n<ul>\n${own.map(itemOf).join('\n')}\n</ul>`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(`${name}: ${subject}`)}</title><style>${STYLE}</style>
<h1>${escaped(name)}</h1>
<p>${escaped(subject)}</p>
<p><strong>${escaped(summaryOf(checks))}</strong></p>
${groups.filter(Boolean).join('\n')}
</html>
`;
}

function itemOf({ title, message, requestIds = [], durationMs }: Judged): string {
  const ids = requestIds.map((id) => `request ${id}`);
  const text = [message ?? '', ...ids].filter(Boolean).join('\n');
  const more = text && `<pre>${escaped(text)}</pre>`;
  return `<li>${escaped(title)} <small>${(durationMs / 1_000).toFixed(2)} s</small>${more}</li>`;
}
