import {
  type InterfaceDescription,
  interfaces,
  openApiFiles,
  operationById,
} from '@servery/contract';
import type { HandlersOf } from '../operation.ts';
import { escapedHtml, htmlPage } from './html-page.ts';

/** Tells nothing that the OpenAPI documents do not tell. */
export function indexPageHandlers(brand: string): HandlersOf<'docs.index'> {
  return {
    'docs.index': async ({ baseUrl }) =>
      htmlPage(escapedHtml(brand), body(escapedHtml(brand), escapedHtml(baseUrl))),
  };
}

function body(brand: string, baseUrl: string): string {
  const link = (path: string, text = path) => `<a href="${baseUrl}${path}">${text}</a>`;
  const described = Object.values(interfaces).filter(({ id }) => id !== 'authentication');
  const documents = Object.keys(openApiFiles).map((file) => link(`/openapi/${file}`, file));
  const [login, metadata] = [operationById('auth.login'), operationById('auth.metadata')];
  return `<h1>${brand}</h1>
<p>This is a restaurant platform: menus, stock, orders, card payments, and what belongs to them.
Restaurants work with it in their browser, and programs of partners over HTTP.</p>
<h2>For people</h2>
<p>You run a restaurant or this platform? Use the ${link('/console/', 'console')}.</p>
<h2>For developers</h2>
<p>You build an integration? The ${link('/reference', 'reference')} has every operation with
examples. Log in with the client id and the secret of your account, and send the access token with
every request.</p>
<table>
<tr><th>Interface</th><th>Below</th><th>Version</th><th>For</th></tr>
${described.map(row).join('\n')}
</table>
<p>Access tokens: <code>POST ${login.path}</code>; for OAuth libraries ${link(metadata.path)}.</p>
<p>OpenAPI documents, to generate clients from: ${documents.join(', ')}. For language models:
${link('/llms.txt')}.</p>
<p>Each error of an interface links to the page that explains it.</p>
<h2>For operators</h2>
<p>Health: ${link('/healthz')}, ${link('/readyz')}.</p>`;
}

function row({ title, prefix, version, description }: InterfaceDescription): string {
  const cells = [title, `<code>${prefix}</code>`, version, escapedHtml(description)];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
