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
  const link = (path: string) => `<a href="${baseUrl}${path}">${path}</a>`;
  const described = Object.values(interfaces).filter(({ id }) => id !== 'authentication');
  const documents = Object.keys(openApiFiles).map((file) => link(`/openapi/${file}`));
  const [login, metadata] = [operationById('auth.login'), operationById('auth.metadata')];
  return `<h1>${brand}</h1>
<p>This is the base address of a restaurant platform. People use its
<a href="${baseUrl}/console/">console</a>. A program logs in with the client id and the secret of its
account, and sends the access token with every call.</p>
<table>
<tr><th>Interface</th><th>Below</th><th>Version</th><th></th></tr>
${described.map(row).join('\n')}
</table>
<p>Access tokens: <code>POST ${login.path}</code>; for OAuth libraries ${link(metadata.path)}.</p>
<p>Health: ${link('/healthz')}, ${link('/readyz')}.</p>
<p>OpenAPI documents of this platform, to generate clients from:
${documents.join(', ')}.</p>
<p>Documentation: the pages in <code>docs/reference</code> of the program. Each error of an
interface links to the page that explains it.</p>`;
}

function row({ title, prefix, version, description }: InterfaceDescription): string {
  const cells = [title, `<code>${prefix}</code>`, version, escapedHtml(description)];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
