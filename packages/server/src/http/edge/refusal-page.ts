import type { IncomingMessage } from 'node:http';
import { errorClasses } from '@servery/contract';
import Negotiator from 'negotiator';
import type { ApiError } from '../errors.ts';
import type { Answer } from '../operation.ts';
import { escapedHtml, htmlPage } from './html-page.ts';

/** An error for people, with the way to the console; null for programs, and without such words. */
export function refusalPage(
  { words, errorClass }: ApiError,
  { raw, baseUrl }: { readonly raw: IncomingMessage; readonly baseUrl: string },
): Answer | null {
  if (!words || !prefersHtml(raw)) return null;
  const page = htmlPage(
    escapedHtml(words.title),
    `<h1>${escapedHtml(words.title)}</h1>
<p>${escapedHtml(words.text)}</p>
<p><a href="${escapedHtml(baseUrl)}/console/">Go to the console of the main environment</a></p>`,
  );
  const { status } = errorClasses[errorClass];
  return { ...page, status, headers: { ...page.headers, 'cache-control': 'no-store' } };
}

/** A caller that takes anything is a program. */
function prefersHtml({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const types = ['application/json', 'text/html'];
  return new Negotiator({ headers }).mediaType(types) === 'text/html';
}
