import type { Defect } from '../defect.ts';

const REQUESTS = 'packages/server/test/http/request-metrics.test.ts';
const TRACES = 'packages/server/test/http/traces.test.ts';

/** Defects of what operators watch: metrics and traces. */
export const metricsDefects: readonly Defect[] = [
  {
    name: 'metrics-open-labels',
    file: 'packages/server/src/support/metrics.ts',
    find: 'if (ofOne && known.has(other)) ofOne.set(other, (ofOne.get(other) ?? 0) + 1);',
    replace: 'ofOne?.set(other, (ofOne.get(other) ?? 0) + 1);',
    why: 'A text that nobody foresaw would become a label, and the metrics would grow.',
    caughtBy: { file: REQUESTS, name: /no text of a client is a label/ },
  },
  {
    name: 'metrics-refusal-without-check',
    file: 'packages/server/src/http/request-metrics.ts',
    find: 'refused(refusal.check, refusal.errorClass)',
    replace: "refused('rules', refusal.errorClass)",
    why: 'Nobody could tell clients without a scope from clients over their budget.',
    caughtBy: { file: REQUESTS, name: /counted by check and kind of error/ },
  },
  {
    name: 'metrics-milliseconds',
    file: 'packages/server/src/support/metrics.ts',
    find: 'const seconds = durationMs / MS_PER_SECOND;',
    replace: 'const seconds = durationMs;',
    why: 'Every answer would look as if it took a thousand times as long.',
    caughtBy: { file: REQUESTS, name: /with how long they took/ },
  },
  {
    name: 'metrics-waiting-mixed-up',
    file: 'packages/postgres/src/session-pool.ts',
    find: 'this.#waiters.length - waitingTransactions',
    replace: 'this.#waiters.length',
    why: 'Who waits for a connection would be counted twice.',
    caughtBy: { file: 'packages/server/test/db/pool-metrics.test.ts', name: /who waits for one/ },
  },
  {
    name: 'traces-with-urls',
    file: 'packages/server/src/http/traces.ts',
    find: "    'servery.request_id': request.requestId,",
    replace: "    'servery.request_id': request.requestId,\n    'url.full': request.url,",
    why: 'What clients write into URLs would leave the platform.',
    caughtBy: { file: TRACES, name: /a span with its operation/ },
  },
  {
    name: 'traces-other-span',
    file: 'packages/server/src/http/traces.ts',
    find: 'generateSpanId: () => ownSpanId ?? ids.generateSpanId()',
    replace: 'generateSpanId: () => ids.generateSpanId()',
    why: 'A partner who goes on in our trace would hang under a span that nobody has.',
    caughtBy: { file: TRACES, name: /goes on in the trace of its caller/ },
  },
];
