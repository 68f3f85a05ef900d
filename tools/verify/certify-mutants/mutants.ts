/** A change to the reference integration, after which one scenario has to fail, and no other. */
export interface Mutant {
  /** The scenario. */
  readonly name: string;
  /** What is in the source, and what comes in its place. */
  readonly changes: readonly (readonly [from: string, to: string])[];
}

const OPTIONS = 'const options = {\n';
const LIST = 'await servery.configuration.menuItems.list().all()';

/** Sends requests otherwise. */
const sending = (fetch: string): Mutant['changes'] => [[OPTIONS, `${OPTIONS}  fetch: ${fetch},\n`]];

/** Ends when the platform answers with this status. */
const endingAt = (status: number) =>
  sending(`async (...given) => {
    const answer = await fetch(...given);
    if (answer.status === ${status}) process.exit(1);
    return answer;
  }`);

/** Reads it once and for all. */
const kept = (name: string, read: string) => `await import('node:fs/promises')
    .then(({ readFile }) => readFile(\`\${env.SERVERY_STATE}/${name}\`, 'utf8'))
    .then(JSON.parse, async () => {
      const content = ${read};
      await keep('${name}', content);
      return content;
    })`;

export const mutants: readonly Mutant[] = [
  {
    name: 'pages',
    changes: [
      [
        LIST,
        "await servery.transport.call('configuration.menuItems.list', { restaurant: options.restaurant })",
      ],
    ],
  },
  {
    name: 'publication-between-pages',
    changes: [
      [
        LIST,
        "await servery.configuration.menuItems.list({}, { onPublication: 'throw' }).all().catch(() => [])",
      ],
    ],
  },
  {
    name: 'too-many-requests',
    changes: sending(`async (...given) => {
    for (;;) {
      const answer = await fetch(...given);
      if (answer.status !== 429) return answer;
    }
  }`),
  },
  { name: 'unavailable', changes: endingAt(503) },
  {
    name: 'token-kept',
    changes: [
      [
        'const servery = new Servery(options);',
        'const servery = new Proxy({}, { get: (_, name) => new Servery(options)[name] });',
      ],
    ],
  },
  { name: 'token-ends', changes: endingAt(401) },
  {
    name: 'unknown-values',
    changes: [
      [
        `${LIST};`,
        `${LIST};
  const shapes = new Set(items.map((item) => Object.keys(item).sort().join()));
  if (shapes.size > 1) throw new Error('an item has an unknown field');`,
      ],
    ],
  },
  {
    name: 'lost-answer',
    changes: sending(`async (url, given) => {
    if (given.method !== 'PUT') return await fetch(url, given);
    globalThis.paid ??= new Set();
    const isFirst = !globalThis.paid.has(url);
    globalThis.paid.add(url);
    return await fetch(isFirst ? url : url.replace(/[^/]*$/, crypto.randomUUID()), given);
  }`),
  },
  {
    name: 'late-approval',
    changes: [
      ['authorize(payment)', 'authorize(payment, { waitMs: 0 })'],
      [
        "while (answer.outcome === 'unknown') answer = await servery.payments.resolve(payment);",
        "if (answer.outcome === 'unknown') answer = { ...answer, outcome: 'approved' };",
      ],
    ],
  },
  {
    name: 'declined',
    changes: [
      [
        "if (answer.outcome === 'declined') return null;",
        "if (answer.outcome === 'declined') answer = { ...answer, outcome: 'approved' };",
      ],
    ],
  },
  {
    name: 'void-deadline',
    changes: [
      [
        'if (error instanceof Conflict) return sell(cart, amount);',
        'if (error instanceof Conflict) return servery.orders.place(cart);',
      ],
    ],
  },
  {
    name: 'archived',
    changes: [['await servery.menus.get()', kept('menus.json', 'await servery.menus.get()')]],
  },
  {
    name: 'out-of-stock',
    changes: [['.filter(({ item }) => !soldOut.has(item.guid))', '']],
  },
  {
    name: 'price-change',
    changes: [['= check.totalAmount', `= ${kept('amount.json', 'check.totalAmount')}`]],
  },
  { name: 'events-twice-and-shuffled', changes: [['if (seen.has(guid)) return;', '']] },
  {
    name: 'wrong-signature',
    changes: [
      [
        'await servery.webhooks.verify(request.headers, await buffer(request))',
        '{ isValid: true, event: JSON.parse(await buffer(request)) }',
      ],
    ],
  },
];
