import { defaultBrand, interfaces, openApiFiles } from '@servery/contract';
import type { HandlersOf } from '../operation.ts';
import { type ReferencePage, referencePages } from '../reference/pages.ts';

/** In the format of llms.txt: a title, what this is, and lists of links. */
export function llmsHandlers(brand: string): HandlersOf<'docs.llms'> {
  return {
    'docs.llms': async ({ baseUrl }) => ({
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'public, max-age=300',
      },
      bytes: llmsText(brand, baseUrl),
    }),
  };
}

function llmsText(brand: string, baseUrl: string): string {
  const link = (title: string, path: string, about: string) =>
    `- [${title}](${baseUrl}${path}): ${about}`;
  const isOffice = ({ document }: ReferencePage) => document === 'back-office.json';
  const pages = (areOffice: boolean) =>
    referencePages
      .filter((page) => isOffice(page) === areOffice)
      .map(({ name, title, description }) => link(title, `/reference/${name}`, description));
  const documents = Object.entries(openApiFiles).map(([file, subject]) =>
    link(
      file,
      `/openapi/${file}`,
      subject === 'all' ? 'every interface in one document' : interfaces[subject].title,
    ),
  );
  return `# ${brand === defaultBrand ? 'Servery' : brand}

> A platform for restaurant point-of-sale integrations: menus, configuration, stock, orders, card
> payments, and webhooks over HTTP and JSON, and a back office for people.

The base address is ${baseUrl}. A program logs in with POST
/authentication/v1/authentication/login, or by OAuth 2.0 client credentials at /oauth/token, and
sends the access token as a bearer token. Errors name their fields and link to a page that explains
them. An unknown outcome of a payment is never a reason to pay again with a new paymentUuid: repeat
the same request.

## Reference

${pages(false).join('\n')}

## OpenAPI

${documents.join('\n')}

## Optional

${pages(true).join('\n')}
`;
}
