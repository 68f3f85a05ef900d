import assert from 'node:assert/strict';
import { asking, record } from '../answers.ts';
import { headersOf } from '../filled.ts';
import type { FilledPlatform } from '../fillings.ts';
import type { Bench, Contender, Scenario } from '../scenario.ts';

/** What is listed, and by whom. */
const LISTS = [
  ['partner', '/partners/v1/connectedRestaurants'],
  ['backOffice', '/backoffice/v1/restaurants'],
  ['backOffice', '/backoffice/v1/managementGroups'],
  ['backOffice', '/backoffice/v1/partners'],
  ['backOffice', '/backoffice/v1/partners/{partner}/connections'],
  ['backOffice', '/backoffice/v1/clients'],
  ['backOffice', '/backoffice/v1/audit'],
  ['backOffice', '/backoffice/v1/payments'],
  ['backOffice', '/backoffice/v1/payments?cardLast4=4242'],
] as const;
/** Each is asked again as soon as it is answered: what one page costs, not how many are answered. */
const CONNECTIONS = 1;

interface Page {
  readonly results: readonly unknown[];
  readonly nextPageToken: string | null;
}

/** The first and the last page of each list that grows, beside the same where there is little. */
export const scenario: Scenario = {
  name: 'growth',
  about: 'lists of 100,000 restaurants and 1,000,000 payments, beside those of 1,000',
  async run(bench) {
    const { isSmoke } = bench.effort;
    const [few, fewPayments] = isSmoke ? [10, 10] : [1_000, 1_000];
    await using small = await bench.startFilled({}, { restaurants: few, applied: fewPayments });
    // A smoke run asserts nothing that two platforms would be needed for.
    await using own = isSmoke
      ? null
      : await bench.startFilled({}, { restaurants: 100_000, applied: 1_000_000 });
    const large = own ?? small;
    for (const [account, path] of LISTS) {
      await compareList(bench, { small, large }, account, path);
    }
  },
};

async function compareList(
  bench: Bench,
  { small, large }: { readonly small: FilledPlatform; readonly large: FilledPlatform },
  account: 'partner' | 'backOffice',
  path: string,
): Promise<void> {
  const [few, many] = await Promise.all(
    [small, large].map(async (platform) => await pagesOf(platform, account, path)),
  );
  if (!few || !many) throw new Error('there are no two platforms');
  for (const which of ['first', 'last'] as const) {
    await bench.compare({
      name: `${path}, ${which} page`,
      unit: 'ms',
      product: many[which]('of many'),
      others: [few[which]('of few')],
      goal: { atMost: 1.5 },
    });
  }
}

/** Walks to the end of a list, and gives what asks for its first and its last page. */
async function pagesOf(platform: FilledPlatform, account: 'partner' | 'backOffice', list: string) {
  const { filled, url } = platform;
  const headers = await headersOf(platform, filled[account]);
  const path = list.replace('{partner}', filled.partnerGuid);
  const at = (token: string | null) =>
    token === null
      ? path
      : `${path}${path.includes('?') ? '&' : '?'}pageToken=${encodeURIComponent(token)}`;
  let last: string | null = null;
  for (;;) {
    const { status, body } = await record(url + at(last), { headers });
    assert.equal(status, 200, `${path} was answered ${status}`);
    const { nextPageToken } = JSON.parse(body.toString()) as Page;
    if (nextPageToken === null) break;
    last = nextPageToken;
  }
  const page = (token: string | null) => (name: string) =>
    timeOf(asking(name, platform, at(token), { headers, status: 200 }, CONNECTIONS));
  return { first: page(null), last: page(last) };
}

/** The time until an answer, in the middle of a round. */
function timeOf(contender: Contender): Contender {
  return {
    ...contender,
    async measure(seconds) {
      const { p50Ms = Number.NaN } = await contender.measure(seconds);
      return { value: p50Ms };
    },
  };
}
