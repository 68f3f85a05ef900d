// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const TARGET = 'packages/server/src/webhooks/target';
const TESTS = 'packages/server/test/webhooks/target';
const blocked = `${TESTS}/blocked.test.ts`;
const connecting = `${TESTS}/connect.test.ts`;
const posting = `${TESTS}/post.test.ts`;

/** Defects by which a webhook reaches what it must not, or a receiver does harm. */
export const webhooksTargetDefects: readonly Defect[] = [
  {
    name: 'webhooks-first-address-checked',
    file: `${TARGET}/dial.ts`,
    find: 'for (const address of addresses) {',
    replace: 'for (const address of addresses.slice(0, 1)) {',
    why: 'A name with a public and an inner address would lead inside.',
    caughtBy: { file: blocked, name: /a single one is blocked/ },
  },
  {
    name: 'webhooks-addresses-not-checked',
    file: `${TARGET}/dial.ts`,
    find: 'const reason = findObstacle(address, own, rules.blockedNetworks);',
    replace: 'const reason = findObstacle(address, own) === host ? host : null;',
    why: 'Every name would lead wherever its owner wants, into every inner network.',
    caughtBy: { file: blocked, name: /no name that leads to a blocked address/ },
  },
  {
    name: 'webhooks-inner-address-told',
    file: `${TARGET}/dial.ts`,
    find: '`${host} leads to a private network, or to no public address.`',
    replace: '`${host} leads to ${address}, which is refused: ${reason}.`',
    why: 'A partner could ask for the inner address of any name that our name servers know.',
    caughtBy: { file: blocked, name: /is told to the operator alone/ },
  },
  {
    name: 'webhooks-name-resolved-again',
    file: `${TARGET}/dial.ts`,
    find: '  const socket = deps.open(addresses, target.port, attemptMs);',
    replace:
      '  const again = await deps.names.addressesOf(target.host);\n' +
      '  const socket = deps.open(again, target.port, attemptMs);',
    why: 'A name that changes between check and connection would lead inside.',
    caughtBy: { file: connecting, name: /leads elsewhere after its check/ },
  },
  {
    name: 'webhooks-reached-address-not-compared',
    file: `${TARGET}/dial.ts`,
    find: 'if (!addresses.some((address) => spellAddress(address) === spellAddress(reached))) {',
    replace: "if (reached === '') {",
    why: 'Whatever turns a connection aside would get the events.',
    caughtBy: { file: blocked, name: /went to another address than the checked one/ },
  },
  {
    name: 'webhooks-inner-ipv6-forms',
    file: `${TARGET}/networks.ts`,
    find: "if (address.kind() === 'ipv6' && !contains(publicIpv6, address))",
    replace: "if (address.kind() === 'ipv4' && !contains(publicIpv6, address))",
    why: 'Addresses of IPv6 that no table names would pass, among them translated ones.',
    caughtBy: { file: blocked, name: /no name that leads to a blocked address/ },
  },
  {
    name: 'webhooks-cloud-agent-reached',
    file: `${TARGET}/networks.ts`,
    find: "  ['168.63.129.16/32', 'the agent of a cloud on this machine'],\n",
    replace: '',
    why: 'The agent of a cloud would be asked for the credentials of the machine.',
    caughtBy: { file: blocked, name: /no name that leads to a blocked address/ },
  },
  {
    name: 'webhooks-own-address-reached',
    file: `${TARGET}/networks.ts`,
    find: "if (own.some((one) => isSame(one, address))) return 'this machine';",
    replace: "if (own.includes(text) && own.length < 0) return 'this machine';",
    why: 'Services of this machine would be reached behind its firewall.',
    caughtBy: { file: blocked, name: /this machine’s own interfaces are blocked/ },
  },
  {
    name: 'webhooks-odd-spellings',
    file: `${TARGET}/read-target.ts`,
    find: 'if (written === usual || written === host) return null;',
    replace: 'if (written !== usual || written === host) return null;',
    why: 'An address would lead elsewhere than whoever reads it believes.',
    caughtBy: { file: blocked, name: /no odd URL and no address by numbers opens a connection to/ },
  },
  {
    name: 'webhooks-user-name-taken',
    file: `${TARGET}/read-target.ts`,
    find: "if (authority.includes('@'))",
    replace: "if (authority.includes('@@'))",
    why: 'An address as in https://known-name@elsewhere would pass for the known name.',
    caughtBy: { file: blocked, name: /is refused by its text/ },
  },
  {
    name: 'webhooks-plain-http',
    file: `${TARGET}/read-target.ts`,
    find: 'if (!isTls && !(rules.allowsLoopback && isHere)) {',
    replace: 'if (!isTls && isHere && !rules.allowsLoopback) {',
    why: 'Events with names and telephone numbers would cross the Internet in the clear.',
    caughtBy: { file: blocked, name: /is refused by its text/ },
  },
  {
    name: 'webhooks-loopback-in-production',
    file: `${TARGET}/dial.ts`,
    find: 'if (rules.allowsLoopback && isLoopback(address)) continue;',
    replace: 'if (isLoopback(address)) continue;',
    why: 'Partners would reach the services of the machine itself.',
    caughtBy: { file: blocked, name: /no name that leads to a blocked address/ },
  },
  {
    name: 'webhooks-certificate-of-anybody',
    file: `${TARGET}/dial.ts`,
    find: 'rejectUnauthorized: true,',
    replace: 'rejectUnauthorized: false,',
    why: 'Whoever stands on the way would get the events.',
    caughtBy: { file: connecting, name: /its certificate is checked/ },
  },
  {
    name: 'webhooks-certificate-of-no-name',
    file: `${TARGET}/dial.ts`,
    find: '...(isIP(host) ? {} : { servername: host }),\n    // By this',
    replace: '...(isIP(host) ? {} : {}),\n    // By this',
    why: 'A receiver among many at one address would not be found.',
    caughtBy: { file: connecting, name: /TLS is made with the name/ },
  },
  {
    name: 'webhooks-answer-without-end',
    file: `${TARGET}/exchange.ts`,
    find: 'if (coming.size > ANSWER_LIMIT_BYTES) this',
    replace: 'if (coming.size < 0) this',
    why: 'A receiver that answers for ever would fill the memory of the process.',
    caughtBy: { file: posting, name: /read up to 64 KiB/ },
  },
  {
    name: 'webhooks-answer-without-time',
    file: `${TARGET}/exchange.ts`,
    find: "else this.#fail('answerTimeout'",
    replace: "else if (answerTimeoutMs < 0) this.#fail('answerTimeout'",
    why: 'A receiver that never answers would hold its place for ever.',
    caughtBy: { file: posting, name: /no answer in time is a time-out/ },
  },
  {
    name: 'webhooks-closed-connection-is-a-failure',
    file: `${TARGET}/open-targets.ts`,
    find: 'return isStale && !this.#isClosed ?',
    replace: 'return isStale && this.#isClosed ?',
    why: 'Every server that closes idle connections would seem to fail, and be waited for.',
    caughtBy: { file: posting, name: /closed meanwhile costs no attempt/ },
  },
  {
    name: 'webhooks-kept-network-reached',
    file: `${TARGET}/dial.ts`,
    find: 'findObstacle(address, own, rules.blockedNetworks)',
    replace: 'findObstacle(address, own)',
    why: 'A name would lead to what the operator keeps to itself.',
    caughtBy: { file: blocked, name: /what the operator keeps to itself/ },
  },
  {
    name: 'webhooks-last-address-left-no-time',
    file: `${TARGET}/dial.ts`,
    find: 'return Math.min(Math.round(share), ATTEMPT_MAX_MS);',
    replace: 'return ATTEMPT_MAX_MS;',
    why: 'Where an endpoint allows a second, no address but the first one would ever be tried.',
    caughtBy: { file: connecting, name: /the last one a share of any time for connecting/ },
  },
];
