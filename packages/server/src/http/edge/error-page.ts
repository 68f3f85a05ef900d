import { errorClasses } from '@servery/contract';
import { ApiError } from '../errors.ts';
import type { Answer, HandlersOf } from '../operation.ts';
import { escapedHtml, htmlPage } from './html-page.ts';

export function errorPageHandlers(brand: string): HandlersOf<'docs.error'> {
  return {
    'docs.error': async ({ params }) => {
      const entry = Object.values(errorClasses).find(({ code }) => code === params.code);
      if (!entry) {
        const codes = Object.values(errorClasses).map(({ code }) => code);
        throw new ApiError(
          'notFound',
          `There is no error code ${params.code}: the codes are ${codes.join(', ')}.`,
        );
      }
      return page(brand, entry);
    },
  };
}

function page(
  brand: string,
  { status, code, title, explanation }: (typeof errorClasses)[keyof typeof errorClasses],
): Answer<undefined> {
  return htmlPage(
    `${code} ${title}`,
    `<h1>${title}</h1>
<p>${escapedHtml(brand)} answers with error code <strong>${code}</strong>
and HTTP status <strong>${status}</strong>.</p>
<p>${escapedHtml(explanation)}</p>`,
  );
}
