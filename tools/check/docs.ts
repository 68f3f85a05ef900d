import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorClasses, webhookBodySchemas } from '@servery/contract';
import { readArguments, readOrEnd, toggle } from '../../bench/src/command-line.ts';
import { settings } from '../../packages/server/src/config/settings.ts';
import { configurationDocumentSchema } from '../../packages/server/src/configuration/document/file-schema.ts';
import { groupDocumentSchema } from '../../packages/server/src/group-document/schema.ts';
import { backOfficeParts } from './docs/back-office.ts';
import { certifyParts } from './docs/certify.ts';
import { commandParts } from './docs/commands.ts';
import { deploymentFiles } from './docs/deployment.ts';
import {
  clientParts,
  firstIntegrationParts,
  firstTestParts,
  testingParts,
} from './docs/examples.ts';
import { faultParts } from './docs/faults.ts';
import { withParts } from './docs/parts.ts';
import { paymentLifeParts } from './docs/payment-life.ts';
import { findRetentionFaults } from './docs/retention.ts';
import { peopleParts } from './docs/roles.ts';
import { table } from './docs/table.ts';
import { testCardsPage } from './docs/test-cards.ts';

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
  'reference/settings.md': settingsPage(),
  'reference/errors.md': errorsPage(),
  'reference/test-cards.md': testCardsPage(),
  'reference/cli.md': await renewed('reference/cli.md', commandParts()),
  'explanation/payments.md': await renewed('explanation/payments.md', paymentLifeParts()),
  'reference/back-office.md': await renewed('reference/back-office.md', backOfficeParts()),
  'reference/certify.md': await renewed('reference/certify.md', certifyParts()),
  'reference/client.md': await renewed('reference/client.md', clientParts()),
  'reference/testing.md': await renewed('reference/testing.md', testingParts()),
  'reference/faults.md': await renewed('reference/faults.md', faultParts()),
  'guides/test-your-integration.md': await renewed(
    'guides/test-your-integration.md',
    firstTestParts(),
  ),
  'start/first-integration.md': await renewed(
    'start/first-integration.md',
    firstIntegrationParts(),
  ),
  'guides/manage-people.md': await renewed('guides/manage-people.md', peopleParts()),
  'reference/group-document.schema.json': schemaFile(groupDocumentSchema()),
  'reference/configuration-document.schema.json': schemaFile(configurationDocumentSchema()),
  ...webhookSchemaFiles(),
  ...filesIn('guides/deploy', deploymentFiles()),
};

/** A page with its generated parts renewed. */
async function renewed(page: string, parts: Readonly<Record<string, string>>): Promise<string> {
  return withParts(await readFile(folder + page, 'utf8'), parts);
}

function settingsPage(): string {
  const lines = Object.values(settings).map((setting) => {
    const { env, fallback, description, parse } = setting;
    const value = /^[A-Za-z.\d]+$/.test(fallback) ? `\`${fallback}\`` : fallback;
    const choices = parse.choices?.map((choice) => `\`${choice}\``) ?? [];
    const isSaid = choices.every((choice) => description.includes(choice));
    const text = isSaid ? description : `${description} One of ${choices.join(', ')}.`;
    return `- \`${env}\`${fallback === 'none' ? '' : ` (${value})`}: ${text}\n`;
  });
  return `# Settings

Set each setting as an environment variable, or as a flag of \`servery start …\` or
\`npm start -- …\`, which wins: \`SERVERY_PUBLIC_URL\` is \`--public-url\`. \`--tls-dev\` and \`--allow-plain-http\` take no value.

If a setting is invalid, has no effect, or has an unknown name, the server says so and doesn't start.
[The command line](cli.md) has variables of its own. Defaults are in parentheses.

${lines.join('')}`;
}

function errorsPage(): string {
  const rows = Object.values(errorClasses).map(({ status, code, title, explanation }) => [
    String(code),
    String(status),
    title,
    explanation,
  ]);
  return `# Error codes

The \`code\` of an \`ErrorMessage\` never changes its meaning. The platform serves each row at
\`/errors/<code>\`, where \`link\` points.

${table(['Code', 'Status', 'Title', 'What to do'], rows)}`;
}

/** The bodies of webhooks, a file for each type of event. */
function webhookSchemaFiles(): Record<string, string> {
  const entries = Object.entries(webhookBodySchemas()).map(([type, schema]) => {
    return [`reference/webhooks/${type}.schema.json`, schemaFile(schema)];
  });
  return Object.fromEntries(entries);
}

function filesIn(place: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`${place}/${name}`, text]),
  );
}

/** A schema that an editor completes and checks documents with, in our own style. */
function schemaFile(schema: object): string {
  const biome = fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url));
  const { stdout, stderr, status } = spawnSync(biome, ['format', '--stdin-file-path=schema.json'], {
    // Keywords with `~` are for the server alone.
    input: JSON.stringify(schema, (key, value) => (key.startsWith('~') ? undefined : value), 2),
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

for (const fault of await findRetentionFaults(
  await readFile(`${folder}reference/retention.md`, 'utf8'),
)) {
  process.exitCode = 1;
  process.stderr.write(`docs/reference/retention.md ${fault}.\n`);
}
