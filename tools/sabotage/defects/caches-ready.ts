// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SERVER = 'packages/server/src';

const cache = (name: RegExp) => ({ file: `packages/server/test/db/cache.test.ts`, name });
const freshness = (name: RegExp) => ({ file: `packages/server/test/db/freshness.test.ts`, name });
const readyPath = (name: RegExp) => ({ file: `${SERVER}/http/ready-path.test.ts`, name });

/** Defects of answers that skip the pipeline. */
export const readyPathDefects: readonly Defect[] = [
  {
    name: 'caches-reading-not-confirmed',
    file: 'packages/server/src/freshness/cache.ts',
    find: 'await this.#freshness.confirm(stamp.buckets);',
    replace: '',
    why: 'A reader would see the new state at one address and then the old one at another.',
    caughtBy: cache(/does not see the old one at another/),
  },
  {
    name: 'caches-own-change-is-news',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'if (Number(known) + 1 === Number(revision)) this.#revisions[bucket] = revision;',
    replace: 'if (known === revision) this.#revisions[bucket] = revision;',
    why: 'What was read after an own change would be read once more for nothing.',
    caughtBy: freshness(/an own change is no news/),
  },
  {
    name: 'caches-ready-without-budget',
    file: `${SERVER}/http/ready-path.ts`,
    find: 'if (!verdict.allowed || !isGood) {',
    replace: 'if (!isGood) {',
    why: 'Who polls the same page could do so without end.',
    caughtBy: readyPath(/each request is counted once/),
  },
  {
    name: 'caches-ready-counted-twice',
    file: `${SERVER}/http/ready-path.ts`,
    find: '      this.#taken.set(raw, { ...verdict, ...ready.value.budget });\n',
    replace: '',
    why: 'A request that goes the whole way after all would cost two.',
    caughtBy: readyPath(/each request is counted once/),
  },
  {
    name: 'caches-ready-token-without-end',
    file: `${SERVER}/http/ready-path.ts`,
    find: 'if (ready.value.caller.tokenExpiresAtMs <= nowMs) return null;',
    replace: '',
    why: 'A token that is used often would never end.',
    caughtBy: readyPath(/a token's end/),
  },
  {
    name: 'caches-ready-changed-meanwhile',
    file: `${SERVER}/http/ready-path.ts`,
    find: 'if (!verdict.allowed || !isGood) {',
    replace: 'if (!verdict.allowed) {',
    why: 'A right that ends while the request is counted would be served once more.',
    caughtBy: readyPath(/a change while the request is counted/),
  },
  {
    name: 'caches-ready-right-looked-at-earlier',
    file: `${SERVER}/http/ready-path.ts`,
    find: 'const lookedAt = answer.renew ? [] : answer.stamp.buckets;',
    replace: 'const lookedAt: readonly number[] = [];',
    why: 'The restaurant in the path would be served to whoever lost it at the wrong moment.',
    caughtBy: readyPath(/looked at before a change and read after it/),
  },
  {
    name: 'caches-ready-renewed-for-whoever-was-let-in-once',
    file: `${SERVER}/http/ready-path.ts`,
    find: 'const buckets = [...stampOf(moment, subjects).buckets, ...lookedAt];',
    replace:
      'const buckets = answer.renew ? [] : [...stampOf(moment, subjects).buckets, ...lookedAt];',
    why: 'A partner whose account or connection has ended would go on reading the stock.',
    caughtBy: readyPath(/client and the restaurant are asked for anew/),
  },
  {
    name: 'caches-ready-key-without-restaurant',
    file: `${SERVER}/http/ready-path.ts`,
    find: '`${caller} ${restaurant} ${url}`',
    replace: '`${caller} ${url}`',
    why: 'A partner would be given the menu of another restaurant.',
    caughtBy: readyPath(/another restaurant, token, spelling/),
  },
  {
    name: 'caches-ready-key-without-token',
    file: `${SERVER}/http/ready-path.ts`,
    find: '`${caller} ${restaurant} ${url}`',
    replace: '`${restaurant} ${url}`',
    why: 'Anybody with any token would be answered as somebody else.',
    caughtBy: readyPath(/another restaurant, token, spelling/),
  },
  {
    name: 'caches-ready-admits-everybody',
    file: `${SERVER}/http/ready-path.ts`,
    find: 'const caller = this.#callerOf(socket, authorization);',
    replace:
      'this.#admit(authorization);\n    const caller = this.#callerOf(socket, authorization);',
    why: 'Whoever sends invented tokens would fill the memory, and drive out those who are let in.',
    caughtBy: readyPath(/drives nobody out of memory/),
  },
  {
    name: 'caches-ready-keeps-what-is-to-close',
    file: `${SERVER}/http/ready-head.ts`,
    find: 'if (isLast || !isPlain(raw, response, assembled)) {',
    replace: 'if (!isPlain(raw, response, assembled)) {',
    why: 'A process that stops would wait for whoever goes on polling over his connection.',
    caughtBy: readyPath(/a change while the request is counted, and a stop/),
  },
  {
    name: 'caches-ready-promises-to-keep',
    file: `${SERVER}/http/ready-head.ts`,
    find: 'response.shouldKeepAlive &&',
    replace: 'true &&',
    why: 'Whoever asks for the end of his connection would be told that it goes on.',
    caughtBy: readyPath(/in every coding/),
  },
  {
    name: 'caches-ready-length-of-a-304',
    file: `${SERVER}/http/ready-head.ts`,
    find: "'HTTP/1.1 304 Not Modified\\r\\n'",
    replace: "'HTTP/1.1 200 OK\\r\\n'",
    why: 'Whoever has the body would wait for one, or take an empty one for it.',
    caughtBy: readyPath(/in every coding/),
  },
  {
    name: 'caches-ready-etag-of-another-coding',
    file: `${SERVER}/http/encode.ts`,
    find: 'return coding === \'identity\' ? `"${digest}"` : `"${digest}-${coding}"`;',
    replace: 'return `"${digest}"`;',
    why: 'A reader would be told that his bytes in one coding are those in another.',
    caughtBy: readyPath(/in every coding/),
  },
  {
    name: 'caches-ready-answers-a-body',
    file: `${SERVER}/http/ready-path.ts`,
    find: "headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined",
    replace: 'false',
    why: 'A body that nobody reads would be taken for the next request.',
    caughtBy: readyPath(/a body on a GET/),
  },
];
