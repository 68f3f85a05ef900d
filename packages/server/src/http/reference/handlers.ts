import { makeInThread } from '../edge/openapi-rendering.ts';
import { ApiError } from '../errors.ts';
import type { HandlersOf } from '../operation.ts';
import type { ViewOptions } from './operation-view.ts';
import { findReferencePage, referencePages } from './pages.ts';

export interface ReferenceDeps extends Omit<ViewOptions, 'baseUrl' | 'restaurant'> {
  readonly assets: () => Promise<string>;
  /** One that the examples can be tried with; null if there is none. */
  readonly exampleRestaurant: () => Promise<string | null>;
}

export function referenceHandlers(
  deps: ReferenceDeps,
): HandlersOf<'docs.reference' | 'docs.referencePage'> {
  const made = new Map<string, Promise<Buffer>>();
  const { assets: readAssets, exampleRestaurant, brand, isSandbox, rateLimits } = deps;
  async function answer(page: string | null, baseUrl: string) {
    const [assets, restaurant] = await Promise.all([
      readAssets(),
      isSandbox ? exampleRestaurant() : null,
    ]);
    const key = `${page}\n${restaurant}\n${assets}`;
    const making =
      made.get(key) ??
      makeInThread({
        ...{ kind: 'reference', brand, baseUrl, isSandbox, rateLimits, page, assets },
        restaurant,
      });
    made.set(key, making);
    try {
      return { headers: headersOf(isSandbox), bytes: await making };
    } catch (error) {
      made.delete(key);
      throw error;
    }
  }
  return {
    'docs.reference': async ({ baseUrl }) => await answer(null, baseUrl),
    'docs.referencePage': async ({ params: { page }, baseUrl }) => {
      if (findReferencePage(page)) return await answer(page, baseUrl);
      const names = referencePages.map(({ name }) => name).join(', ');
      throw new ApiError('notFound', `There is no page "${page}". The pages are ${names}.`);
    },
  };
}

function headersOf(isSandbox: boolean): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ...(isSandbox ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}
