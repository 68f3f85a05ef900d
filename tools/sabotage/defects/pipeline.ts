// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const HTTP = 'packages/server/src/http';
const APPLICATION = `${HTTP}/application.test.ts`;

/** Defects of the way that every request goes. */
export const pipelineDefects: readonly Defect[] = [
  {
    name: 'pipeline-body-before-access',
    file: `${HTTP}/pipeline.ts`,
    find: `const restaurant = isPublic ? null : await letIn(deps, exchange, operation);
  exchange.restaurant = restaurant;
  exchange.check = 'body';
  const body = await bodyOf(exchange, operation);`,
    replace: `const body = await bodyOf(exchange, operation);
  const restaurant = isPublic ? null : await letIn(deps, exchange, operation);`,
    why: 'Strangers could have their bodies read and judged.',
    caughtBy: { file: APPLICATION, name: /C5: the checks refuse in their order/ },
  },
  {
    name: 'pipeline-budget-before-route',
    file: `${HTTP}/pipeline.ts`,
    find: `if (!operation || !handler) throw noSuchOperation(exchange);
  refuseOverBudget(exchange);`,
    replace: `refuseOverBudget(exchange);
  if (!operation || !handler) throw noSuchOperation(exchange);`,
    why: 'A wrong path would be told as too many requests.',
    caughtBy: { file: APPLICATION, name: /C5: the checks refuse in their order/ },
  },
  {
    name: 'pipeline-scope-unchecked',
    file: `${HTTP}/admit.ts`,
    find: 'if (operation.scope && !holdsScope(caller, operation.scope, restaurant)) {',
    replace: 'if (false) {',
    why: 'A client that may read could write.',
    caughtBy: { file: APPLICATION, name: /C5: the checks refuse in their order/ },
  },
  {
    name: 'contract-write-with-read-scope',
    file: 'packages/contract/src/operations/stock.ts',
    find: "scope: 'stock:write',",
    replace: "scope: 'stock:read',",
    why: 'The contract itself would let a reader write.',
    caughtBy: { file: APPLICATION, name: /C5: the checks refuse in their order/ },
  },
  {
    name: 'access-unknown-told-apart',
    file: `${HTTP}/admit.ts`,
    find: "if (decision.outcome === 'unknown' && isMerchant) {",
    replace: "if (decision.outcome === 'unknown') {",
    why: 'Strangers could find out which restaurants there are.',
    caughtBy: { file: APPLICATION, name: /403 C6: an unknown restaurant and one out of reach/ },
  },
  {
    name: 'access-archived-allowed',
    file: `${HTTP}/admit.ts`,
    find: 'const isServed = !restaurant.archived || allowsArchived(request, guid);',
    replace: 'const isServed = true;',
    why: 'A restaurant that has closed would be served on.',
    caughtBy: { file: APPLICATION, name: /I2: only here may the header name an archived/ },
  },
  {
    name: 'access-merchant-in-path-unchecked',
    file: `${HTTP}/admit.ts`,
    find: 'if (params.merchantUuid?.toLowerCase() === headerValue) return;',
    replace: 'if (headerValue) return;',
    why: 'A payment would be made for another restaurant than its path names.',
    caughtBy: { file: APPLICATION, name: /C6 C1: the path comes first/ },
  },
  {
    name: 'pipeline-rate-limit-off-by-one',
    file: `${HTTP}/rate-limit.ts`,
    find: 'allowed: left >= 0,',
    replace: 'allowed: left >= -1,',
    why: 'Each second would have one request more than the limit.',
    caughtBy: { file: `${HTTP}/rate-limit.test.ts`, name: /C7: a clock-aligned second allows/ },
  },
  {
    name: 'pipeline-ipv6-budgets-apart',
    file: `${HTTP}/pipeline.ts`,
    find: '`address:${networkOf(remoteAddress)}`',
    replace: '`address:${remoteAddress}`',
    why: 'Whoever has one IPv6 connection would have more budgets than could ever be used up.',
    caughtBy: {
      file: 'packages/server/test/http/budget.test.ts',
      name: /C7: one IPv6 network has one budget/,
    },
  },
  {
    name: 'pipeline-burst-costs-quarter-hour',
    file: `${HTTP}/rate-limit.ts`,
    find: 'const isWithin = used <= perSecond;',
    replace: 'const isWithin = used <= perSecond || used > perSecond;',
    why: 'A burst that was refused would shut a client out for a quarter of an hour.',
    caughtBy: { file: `${HTTP}/rate-limit.test.ts`, name: /C7: a quarter-hour has its own budget/ },
  },
  {
    name: 'pipeline-shared-budget-off-by-one',
    file: `${HTTP}/rate-limit-store.ts`,
    find: 'r.second_used >= ${perSecond}',
    replace: 'r.second_used > ${perSecond}',
    why: 'Processes that share a budget would count otherwise than one alone.',
    caughtBy: {
      file: 'packages/server/test/http/rate-count.test.ts',
      name: /C7: the shared quarter of an hour/,
    },
  },
  {
    name: 'pipeline-large-body-taken',
    file: 'packages/contract/src/operations/operation.ts',
    find: 'export const bodyBytesAtMost = 1_048_576;',
    replace: 'export const bodyBytesAtMost = 1_048_576_000;',
    why: 'A few callers could fill the memory.',
    caughtBy: { file: APPLICATION, name: /C5: the checks refuse in their order/ },
  },
  {
    name: 'pipeline-chunks-uncounted',
    file: `${HTTP}/body.ts`,
    find: 'if (size <= maxBytes) return;',
    replace: 'if (size > 0) return;',
    why: 'Whoever does not say how much is coming could send without end.',
    caughtBy: { file: APPLICATION, name: /413 C9: a chunked body is cut off/ },
  },
  {
    name: 'pipeline-hung-up-on-at-once',
    file: `${HTTP}/discard.ts`,
    find: 'await inTime(discarded(request), PATIENCE_MS);',
    replace: 'await Promise.resolve([inTime, discarded, PATIENCE_MS]);',
    why: 'Whoever sends too much would see a broken connection in place of the reason.',
    caughtBy: { file: `${HTTP}/discard.test.ts`, name: /413 C9: who reads nothing before all/ },
  },
  {
    name: 'pipeline-duplicate-key-taken',
    file: `${HTTP}/json.ts`,
    find: 'if (Object.hasOwn(open.object, key))',
    replace: 'if (false)',
    why: 'Two readers of one body could see two different amounts.',
    caughtBy: { file: `${HTTP}/json.test.ts`, name: /400 C9: a key given twice/ },
  },
  {
    name: 'pipeline-depth-off-by-one',
    file: `${HTTP}/json.ts`,
    find: 'if (this.#open.length >= MAX_JSON_DEPTH) {',
    replace: 'if (this.#open.length > MAX_JSON_DEPTH) {',
    why: 'The documented depth would not be the one that is kept.',
    caughtBy: { file: `${HTTP}/json.test.ts`, name: /400 C9: nesting is allowed to 32/ },
  },
  {
    name: 'pipeline-weak-tag',
    file: `${HTTP}/encode.ts`,
    find: 'return coding === \'identity\' ? `"${digest}"` :',
    replace: 'return coding === \'identity\' ? `W/"${digest}"` :',
    why: 'A tag that promises nothing could not be used for ranges or writes.',
    caughtBy: { file: APPLICATION, name: /C11: reads have a strong ETag/ },
  },
  {
    name: 'pipeline-tag-same-for-codings',
    file: `${HTTP}/encode.ts`,
    find: '`"${digest}-${coding}"`',
    replace: '`"${digest}"`',
    why: 'A cache could put compressed bytes behind the tag of plain ones.',
    caughtBy: { file: `${HTTP}/encode.test.ts`, name: /entity tag C11: strong, and another/ },
  },
  {
    name: 'pipeline-refusal-before-earlier-answers',
    file: `${HTTP}/broken-http.ts`,
    find: '(await inTime(answersBefore(line, broken), EARLIER_ANSWERS_MS)) ?? false;',
    replace: 'true;',
    why: 'A refusal of rubbish would be taken for the answer to the payment before it.',
    caughtBy: { file: `${HTTP}/broken-http.test.ts`, name: /not HTTP is answered first/ },
  },
  {
    name: 'pipeline-late-request-carried-out',
    file: `${HTTP}/broken-http.ts`,
    find: ".removeAllListeners('data')",
    replace: '',
    why: 'What was told as too late would be done all the same.',
    caughtBy: { file: `${HTTP}/broken-http.test.ts`, name: /not carried out behind its answer/ },
  },
  {
    name: 'pipeline-doubled-header-let-in',
    file: `${HTTP}/request-head.ts`,
    find: 'if (seen & bit)',
    replace: 'if (seen && !bit)',
    why: 'A proxy in between may have gone by the other header.',
    caughtBy: { file: `${HTTP}/request-head.test.ts`, name: /refused when it stands twice/ },
  },
  {
    name: 'pipeline-host-unasked',
    file: `${HTTP}/application.ts`,
    find: '      if (refusal) throw refusal;\n',
    replace: '',
    why: 'A request that HTTP forbids would be carried out.',
    caughtBy: { file: APPLICATION, name: /no answer is the framework's own/ },
  },
];
