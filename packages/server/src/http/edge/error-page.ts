import { errorClasses } from '@servery/contract';
import { ApiError } from '../errors.ts';
import type { Answer, HandlersOf } from '../operation.ts';
import { escapedHtml, htmlPage } from './html-page.ts';

export function errorPageHandlers(brand: string): HandlersOf<'docs.error'> {
  return {
    'docs.error': async ({ params, baseUrl }) => {
      const entry = Object.values(errorClasses).find(({ code }) => code === params.code);
      if (!entry) {
        const codes = Object.values(errorClasses).map(({ code }) => code);
        codes.sort((one, other) => one - other);
        throw new ApiError(
          'notFound',
          `There is no error code ${params.code}: the codes are ${codes.join(', ')}.`,
        );
      }
      return page(brand, baseUrl, entry);
    },
  };
}

function page(
  brand: string,
  baseUrl: string,
  { status, code, title, explanation }: (typeof errorClasses)[keyof typeof errorClasses],
): Answer<undefined> {
  return htmlPage(
    `${code} ${title}`,
    `<h1>${title}</h1>
<p>The ${escapedHtml(brand)} interfaces answer with error code <strong>${code}</strong>
and HTTP status <strong>${status}</strong>.</p>
<p>${escapedHtml(explanation)}</p>
<p><a href="${escapedHtml(baseUrl)}/">All addresses of this platform</a></p>`,
  );
}
