import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorClasses, webhookBodySchemas } from '@servery/contract';
import { settings } from '@servery/server/config/settings.ts';
import { configurationDocumentSchema } from '@servery/server/configuration/document/file-schema.ts';
import { groupDocumentSchema } from '@servery/server/group-document/schema.ts';
import { testCards } from '@servery/server/payments/cards/test-cards.ts';
import { readArguments, readOrEnd, toggle } from '../../bench/src/command-line.ts';
import { commandParts } from './docs/commands.ts';
import { withParts } from './docs/parts.ts';
import { paymentLifeParts } from './docs/payment-life.ts';
import { peopleParts } from './docs/roles.ts';
import { table } from './docs/table.ts';

const line = {
  command: 'npm run docs',
  about: 'Writes what of docs/ is data of the code, so that it is what the code says.',
  words: null,
  flags: { check: toggle('compares instead, and fails when they are not') },
};
const isCheck = readOrEnd(() => readArguments(line, process.argv.slice(2))).values.check;
const folder = fileURLToPath(new URL('../../docs/', import.meta.url));

/**
 * Writes the files of docs/ that are data of the code, and the parts of pages that are, so that
 * they cannot drift apart from it.
 * With `--check` it compares instead, and fails when a page is not what the code says.
 */
const pages: Record<string, string> = {
  'settings.md': settingsPage(),
  'errors.md': errorsPage(),
  'test-cards.md': testCardsPage(),
  'cli.md': withParts(await readFile(`${folder}cli.md`, 'utf8'), commandParts()),
  'payments.md': withParts(await readFile(`${folder}payments.md`, 'utf8'), paymentLifeParts()),
  'people.md': withParts(await readFile(`${folder}people.md`, 'utf8'), peopleParts()),
  'group-document.schema.json': schemaFile(groupDocumentSchema()),
  'configuration-document.schema.json': schemaFile(configurationDocumentSchema()),
  ...webhookSchemaFiles(),
};

function settingsPage(): string {
  const rows = Object.values(settings).map((setting) => {
    const { env, flag, fallback, description, isSwitch, parse } = setting;
    const choices = parse.choices?.map((choice) => `\`${choice}\``).join(', ');
    return [
      `\`${env}\``,
      `\`--${flag}${isSwitch ? '' : ' …'}\``,
      /^[A-Za-z.\d]+$/.test(fallback) ? `\`${fallback}\`` : fallback,
      choices ? `${description} One of ${choices}.` : description,
    ];
  });
  return `# Settings

Every setting is an environment variable and a flag of \`npm start -- …\`; the flag wins. All
faults are reported at once. A variable that begins with \`SERVERY_\` and is neither on this page
nor on that of [the command](cli.md) is a fault, so that a typo switches nothing off. So is a
setting that has no effect without another one: for example, a TLS port without a certificate. This
page is written by \`npm run docs\` from \`packages/server/src/config/settings.ts\`.

${table(['Variable', 'Flag', 'Default', 'What it does'], rows)}`;
}

function errorsPage(): string {
  const rows = Object.values(errorClasses).map(({ status, code, title, explanation }) => [
    String(code),
    String(status),
    title,
    explanation,
  ]);
  return `# Error codes

The \`code\` of an \`ErrorMessage\` names its class for ever. The platform serves each row at
\`/errors/<code>\`, where \`link\` points. This page is written by \`npm run docs\` from the
contract package.

${table(['Code', 'Status', 'Title', 'What to do'], rows)}`;
}

function testCardsPage(): string {
  const rows = testCards.map((card) => [
    `\`${card.number}\``,
    card.brand,
    String(card.cvvLength),
    card.paymentState === null ? String(card.status) : `\`${card.paymentState}\``,
    card.isoCode ?? '',
    card.description,
    `\`${card.settles}\``,
    card.whenVoided === null ? '' : `\`${card.whenVoided}\``,
    card.whenCaptured === null ? '' : `\`${card.whenCaptured}\``,
    card.guestText ?? '',
  ]);
  const head = [
    'Number',
    'Brand',
    'CVV digits',
    'First answer',
    'ISO 8583',
    'What happens',
    'Settles as',
    'When voided',
    'When captured',
    'The guest sees',
  ];
  return `# Test cards

What the sandbox's processor does with each card number. No number belongs to a person; any expiry
date, security code and postal code go with it. A valid number that is not here is approved. This
page is written by \`npm run docs\` from the table that drives the simulator.

*First answer* is the \`paymentState\` of the first PUT, or the status of an error that may be
repeated. *Settles as* is the state, as the back office shows it, that the payment comes to by
itself before its apply deadline passes. An authorized one that no check takes is given up at that
deadline and ends as *When voided*; one that is applied, fulfilled and captured ends as *When
captured*. For what can be ordered for any card, see [the processor](processor.md).

${table(head, rows)}`;
}

/** The bodies of webhooks, a file for each type of event. */
function webhookSchemaFiles(): Record<string, string> {
  const entries = Object.entries(webhookBodySchemas()).map(([type, schema]) => {
    return [`webhooks/${type}.schema.json`, schemaFile(schema)];
  });
  return Object.fromEntries(entries);
}

/** A schema that an editor completes and checks documents with, in our own style. */
function schemaFile(schema: object): string {
  const biome = fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url));
  const { stdout, stderr, status } = spawnSync(biome, ['format', '--stdin-file-path=schema.json'], {
    input: JSON.stringify(schema, null, 2),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Biome cannot format the schema: ${stderr}`);
  return stdout;
}

for (const [name, text] of Object.entries(pages)) {
  if (!isCheck) await writeFile(folder + name, text);
  else if ((await readFile(folder + name, 'utf8').catch(() => '')) !== text) {
    process.exitCode = 1;
    process.stderr.write(`docs/${name} is not what the code says: run "npm run docs".\n`);
  }
}
