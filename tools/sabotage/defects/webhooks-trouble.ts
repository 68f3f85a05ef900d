import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/webhooks';
const TESTS = 'packages/server/test/webhooks';
const TROUBLE = `${TESTS}/trouble.test.ts`;
const PACE = `${TESTS}/pace.test.ts`;

/** Defects of what happens to endpoints in trouble, and to those beside them. */
export const webhooksTroubleDefects: readonly Defect[] = [
  {
    name: 'webhooks-window-of-one-for-ever',
    file: `${SOURCE}/pace.ts`,
    find: 'else if (this.#window < FIRST_WINDOW) this.#window += 1;',
    replace: 'else if (this.#window < 0) this.#window += 1;',
    why: 'A receiver that takes its time would never get more than one event at a time again.',
    caughtBy: { file: PACE, name: /has its first window back/ },
  },
  {
    name: 'webhooks-steady-never-widened',
    file: `${SOURCE}/pace.ts`,
    find: 'this.#widen(1 / this.#window, STEADY_WINDOW)',
    replace: 'this.#widen(0, STEADY_WINDOW)',
    why: 'A backlog of a receiver that needs 300 ms would drain at thirteen a second.',
    caughtBy: { file: PACE, name: /takes its time grows to what is under way/ },
  },
  {
    name: 'webhooks-partner-blocks-itself',
    file: `${SOURCE}/due-delivery-store.ts`,
    find: ' or claimed = 0 and turn = 1\n    ), chosen',
    replace: '\n    ), chosen',
    why: 'Four endpoints that hang would stop all others of their partner.',
    caughtBy: { file: `${TESTS}/many.test.ts`, name: /no partner has all places/ },
  },
  {
    name: 'webhooks-full-lane-not-looked-at',
    file: `${SOURCE}/lanes.ts`,
    find: 'const before = states.get(endpointGuid) ?? { claimed: 0, window: FIRST_WINDOW };',
    replace: 'const before = { claimed: 0, window: lane.pace.window + lane.claimed + 1 };',
    why: 'What is left of a backlog would wait until something else happens.',
    caughtBy: { file: `${TESTS}/recording.test.ts`, name: /holds up no other/ },
  },
  {
    name: 'webhooks-broken-secret-spoils-others',
    file: `${SOURCE}/opened-secrets.ts`,
    find: 'if (secrets.length === 0) throw',
    replace: 'if (failures.length > 0 || secrets.length === 0) throw',
    why: 'A new secret beside one that cannot be opened would help nobody.',
    caughtBy: { file: TROUBLE, name: /a new one signs, and at once/ },
  },
  {
    name: 'webhooks-new-secret-waits-for-the-probe',
    file: `${SOURCE}/endpoints.ts`,
    find: '      await updateBrokenSecretProbe(sql, key, origin.at);\n',
    replace: '',
    why: 'Whoever mended an endpoint would wait up to an hour for its events.',
    caughtBy: { file: TROUBLE, name: /a new one signs, and at once/ },
  },
  {
    name: 'webhooks-broken-secret-holds-up-moves',
    file: `${SOURCE}/delivery-work.ts`,
    find: 'await this.#pauseBroken(each, true);',
    replace: 'await this.#pauseBroken(each, false);',
    why: 'A sandbox with one broken secret could not move its clock by a year.',
    caughtBy: { file: TROUBLE, name: /a move of a year past a broken secret/ },
  },
  {
    name: 'webhooks-probes-use-early-retries-up',
    file: `${SOURCE}/make-attempt.ts`,
    find: 'const tried = { tries, early, isProbe,',
    replace: 'const tried = { tries, early: claimed.attempts - tries, isProbe,',
    why: 'A receiver that asks for a second would lose its events once a pause has ended.',
    caughtBy: { file: TROUBLE, name: /use up no early retry/ },
  },
  {
    name: 'webhooks-claimed-and-not-begun',
    file: `${SOURCE}/delivery-work.ts`,
    find: 'if (!mayBegin) await this.#giveBack(claimed);',
    replace: 'if (!mayBegin) await this.#giveBack([]);',
    why: 'One broken connection would keep the events of all endpoints for a minute and more.',
    caughtBy: { file: TROUBLE, name: /given back when the clock cannot be looked at/ },
  },
  {
    name: 'webhooks-every-change-tries-what-rests',
    file: `${SOURCE}/delivery-work.ts`,
    find: 'if (isFree) await this.#pumpNow();',
    replace: 'if (isFree) await this.runAll();',
    why: 'A busy back office would call a receiver in trouble a hundred times a second.',
    caughtBy: { file: TROUBLE, name: /does not try what rests/ },
  },
  {
    name: 'webhooks-row-of-failures-goes-on',
    file: `${SOURCE}/delivery-work.ts`,
    find: 'return hasMended ? { ...made, hasMended } : made;',
    replace: 'return made;',
    why: 'A failure here and there would slow an endpoint that is sound.',
    caughtBy: { file: TROUBLE, name: /a success after a failure ends the row/ },
  },
  {
    name: 'webhooks-blocked-probed-as-ever',
    file: `${SOURCE}/circuit.ts`,
    find: 'const probes = isFlapping ? standing.probes + 1 : 0;',
    replace: 'const probes = isFlapping && event.pause === null ? standing.probes + 1 : 0;',
    why: 'A name that leads inside every other time would fill the record of changes.',
    caughtBy: { file: TROUBLE, name: /probed ever more seldom/ },
  },
  {
    name: 'webhooks-written-places-kept',
    file: `${SOURCE}/lanes.ts`,
    find: '    this.#released.add(claimed);\n    this.#claimed -= 1;',
    replace: '    this.#released.add(claimed);',
    why: 'Many endpoints that fail would keep all places while they are written one by one.',
    caughtBy: { file: TROUBLE, name: /keeps no place from other endpoints/ },
  },
  {
    name: 'webhooks-read-only-spoils-a-batch',
    file: `${SOURCE}/recorder.ts`,
    find: 'return /^(22|23)/.test(',
    replace: 'return /^(2)/.test(',
    why: 'A failover would let all that was under way be sent again.',
    caughtBy: { file: `${TESTS}/recording.test.ts`, name: /refuses no single row/ },
  },
];
