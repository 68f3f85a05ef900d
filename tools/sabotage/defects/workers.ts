import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src';
const ROOM = `${SOURCE}/workers`;
const SUPERVISE = 'packages/server/test/workers/supervise.test.ts';
const RATE_COUNT = 'packages/server/test/http/rate-count.test.ts';

/** Defects of several workers that are to be one server: one budget, one set of metrics. */
export const workerDefects: readonly Defect[] = [
  {
    name: 'workers-late-request-forgotten-window',
    file: `${SOURCE}/http/rate-limit.ts`,
    find: '  if (index === used.index - 1) {',
    replace: '  if (index < 0) {',
    why: 'A request of one second would use up the budget of the next.',
    caughtBy: {
      file: `${SOURCE}/http/rate-limit.test.ts`,
      name: /requests that overtake each other/,
    },
  },
  {
    name: 'workers-late-request-begins-window-anew',
    file: `${SOURCE}/http/rate-limit-store.ts`,
    find: 'case when r.second_index < excluded.second_index then 1 else',
    replace: 'case when r.second_index <> excluded.second_index then 1 else',
    why: 'Whoever goes by the slower of two clocks would give every client a new budget.',
    caughtBy: { file: RATE_COUNT, name: /begins no window of several processes anew/ },
  },
  {
    name: 'workers-strangers-without-group-overlooked',
    file: `${SOURCE}/db/processes.ts`,
    find: 'where group_id is distinct from',
    replace: 'where group_id <>',
    why: 'Beside a server of the last version each would give the whole budget.',
    caughtBy: { file: RATE_COUNT, name: /each learns of the other/ },
  },
  {
    name: 'workers-are-strangers-to-each-other',
    file: `${SOURCE}/db/processes.ts`,
    find: 'groupId: groupId ?? processId',
    replace: 'groupId: processId',
    why: 'Workers of one machine would pay a statement for each request.',
    caughtBy: { file: RATE_COUNT, name: /are no others to each other/ },
  },
  {
    name: 'workers-count-one-by-one',
    file: `${ROOM}/count-together.ts`,
    find: '      if (gathered.length === 0 && sent.size === 0) afterTurn(sendAll);',
    replace: '      if (gathered.length === 0) afterTurn(sendAll);',
    why: 'Each request would be a message of its own to the process that counts.',
    caughtBy: {
      file: `${ROOM}/count-together.test.ts`,
      name: /waits for an answer is one message/,
    },
  },
  {
    name: 'workers-silent-for-ever',
    file: `${ROOM}/count-together.ts`,
    find: '    counted({ id, used }) {\n      isSilent = false;',
    replace: '    counted({ id, used }) {',
    why: 'After one second of silence every request would cost a statement, until a restart.',
    caughtBy: { file: `${ROOM}/count-together.test.ts`, name: /count elsewhere, for a time/ },
  },
  {
    name: 'workers-metrics-forget-the-ended',
    file: `${ROOM}/gather-metrics.ts`,
    find: '      if (!sums) return;',
    replace: '      if (sums) return;',
    why: 'A sum that falls looks like a restart: rates would show what never happened.',
    caughtBy: { file: `${ROOM}/gather-metrics.test.ts`, name: /never falls when one of them ends/ },
  },
  {
    name: 'workers-metrics-of-processes-left-out',
    file: `${SOURCE}/support/metrics-together.ts`,
    find: "    aggregator: 'sum',\n",
    replace: '',
    why: 'What is of each process would be left out, or an average that hides the worst.',
    caughtBy: {
      file: `${SOURCE}/support/metrics-together.test.ts`,
      name: /what workers did is added up/,
    },
  },
  {
    name: 'workers-replaced-without-pause',
    file: `${ROOM}/supervise.ts`,
    find: '      pauseMs = Math.min(pauseMs * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);\n',
    replace: '',
    why: 'A worker that dies at once would be started as fast as the machine can.',
    caughtBy: { file: SUPERVISE, name: /replaced after growing pauses/ },
  },
  {
    name: 'workers-failure-without-words',
    file: `${ROOM}/member.ts`,
    find: 'ready.reject(new Error(message.message))',
    replace: "ready.reject(new Error('a worker failed'))",
    why: 'Nobody would learn why the server does not start.',
    caughtBy: { file: SUPERVISE, name: /its own words are why none does/ },
  },
  {
    name: 'workers-orphans-end-at-once',
    file: `${ROOM}/link.ts`,
    find: '    worker.exitedAfterDisconnect = true;\n',
    replace: '',
    why: 'After a kill -9 the embedded database would be left running.',
    caughtBy: {
      file: 'packages/server/test/workers/workers-end.test.ts',
      name: /leaves neither workers nor a database/,
    },
  },
  {
    name: 'workers-none-at-all',
    file: `${SOURCE}/setting-values.ts`,
    find: 'if (count >= 1 && count <= MOST_WORKERS) return count;',
    replace: 'if (count <= MOST_WORKERS) return count;',
    why: 'A server of no workers would be told as ready, and serve nobody.',
    caughtBy: { file: `${SOURCE}/config.test.ts`, name: /a number of workers/ },
  },
  {
    name: 'workers-handed-to-the-dead',
    file: `${ROOM}/lost-connections.ts`,
    find: '    isGone = true;',
    replace: '    isGone = false;',
    why: 'A connection would stay open for ever with nobody behind it.',
    caughtBy: { file: `${ROOM}/lost-connections.test.ts`, name: /given to a dead worker/ },
  },
  {
    name: 'workers-end-of-channel-untold',
    file: `${ROOM}/lost-connections.ts`,
    find: "if (handed.size > 0) worker.emit('disconnect');",
    replace: '',
    why: 'The other listener would go on handing connections to a worker that has ended.',
    caughtBy: { file: `${ROOM}/lost-connections.test.ts`, name: /end of a channel is told/ },
  },
];
