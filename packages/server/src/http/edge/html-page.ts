import { createHash } from 'node:crypto';
import type { Answer } from '../operation.ts';

const STYLE = `
html{color-scheme:light dark;background:light-dark(#fff,#131614);color:light-dark(#1d2320,#eceeea)}
a{color:light-dark(#0b5646,#7fdcc3)}
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;overflow-wrap:anywhere}
table{border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0}
th{overflow-wrap:normal}
@media(width>40rem){td code{white-space:nowrap}}
@media(width<=40rem){tr,td{display:block}tr{padding:.5rem 0}td{padding:0}td:first-child{font-weight:600}th:not(:only-of-type){display:none}}
`;
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function htmlPage(title: string, body: string): Answer<undefined> {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'content-security-policy': POLICY,
    },
    bytes: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
<main>
${body}
</main>
</html>
`,
  };
}

export function escapedHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
