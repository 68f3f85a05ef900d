import { errorClasses } from '@servery/contract';
import { ApiError } from './errors.ts';
import type { OperationHandlers } from './operation.ts';

/** `GET /errors/{code}`: the page that `link` of an ErrorMessage points to (decisions C2). */
export function errorPageHandlers(brand: string): Pick<OperationHandlers, 'docs.error'> {
  return {
    'docs.error': async ({ params }) => {
      const entry = Object.values(errorClasses).find(({ code }) => String(code) === params.code);
      if (!entry) {
        const codes = Object.values(errorClasses).map(({ code }) => code);
        throw new ApiError(
          'notFound',
          `There is no error code ${params.code}: the codes are ${codes.join(', ')}.`,
        );
      }
      return {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'public, max-age=300',
        },
        bytes: page(brand, entry),
      };
    },
  };
}

function page(
  brand: string,
  { status, code, title, explanation }: (typeof errorClasses)[keyof typeof errorClasses],
): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code} ${title}</title>
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}
</style>
<h1>${title}</h1>
<p>${brand} answers with error code <strong>${code}</strong>
and HTTP status <strong>${status}</strong>.</p>
<p>${escaped(explanation)}</p>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
