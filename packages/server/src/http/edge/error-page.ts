import { type ExplainedStep, errorClasses, type RequestExplanation } from '@servery/contract';
import { ApiError } from '../errors.ts';
import type { Answer, HandlersOf } from '../operation.ts';
import { escapedHtml, htmlPage } from './html-page.ts';

/** Null for a request that the log doesn't have. */
export type ExplainRequest = (requestId: string) => Promise<RequestExplanation | null>;

type ErrorEntry = (typeof errorClasses)[keyof typeof errorClasses];

/** Without `explainRequest`, which production must not have, the page tells only about the code. */
export function errorPageHandlers(
  brand: string,
  explainRequest: ExplainRequest | null,
): HandlersOf<'docs.error'> {
  return {
    'docs.error': async ({ params, query, baseUrl }) => {
      const entry = Object.values(errorClasses).find(({ code }) => code === params.code);
      if (!entry) {
        const codes = Object.values(errorClasses).map(({ code }) => code);
        codes.sort((one, other) => one - other);
        throw new ApiError(
          'notFound',
          `There is no error code ${params.code}: the codes are ${codes.join(', ')}.`,
        );
      }
      const { request } = query;
      if (!explainRequest || request === undefined) return page(brand, baseUrl, entry);
      const explanation = await explainRequest(request);
      const answer = page(brand, baseUrl, entry, explained(request, explanation));
      return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
    },
  };
}

function page(
  brand: string,
  baseUrl: string,
  { status, code, title, explanation }: ErrorEntry,
  more = '',
): Answer<undefined> {
  return htmlPage(
    `${code} ${title}`,
    `<h1>${title}</h1>
<p>The ${escapedHtml(brand)} interfaces answer with error code <strong>${code}</strong>
and HTTP status <strong>${status}</strong>.</p>
<p>${escapedHtml(explanation)}</p>
${more}<p><a href="${escapedHtml(baseUrl)}/">All addresses of this platform</a></p>`,
  );
}

function explained(requestId: string, explanation: RequestExplanation | null): string {
  const heading = `<h2>Request ${escapedHtml(requestId)}</h2>\n`;
  if (!explanation) {
    return `${heading}<p>The request log doesn't have this request, or doesn't have it yet.</p>\n`;
  }
  return `${heading}<ol>\n${explanation.steps.map(stepItem).join('\n')}\n</ol>\n`;
}

const marks = { PASSED: '✓', FAILED: '✗', SKIPPED: '–' } as const;

function stepItem({ check, result, title, details, advice }: ExplainedStep): string {
  const isCheck = check !== 'answer';
  const text = `${isCheck ? `${marks[result]} ` : ''}${escapedHtml(title)}`;
  const lines = [
    isCheck && result === 'FAILED' ? `<strong>${text}</strong>` : text,
    ...details.map(escapedHtml),
    ...(advice === null ? [] : [`<em>What to do: ${escapedHtml(advice)}</em>`]),
  ];
  return `<li>${lines.join('<br>')}</li>`;
}
