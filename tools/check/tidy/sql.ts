import type { Node } from 'oxc-parser';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';
import { isTouching, touchingNames } from './touching.ts';

/** The files that speak SQL, by their path. */
const STORE = /(^|\/)([a-z-]+-)?store\.ts$/;
const DATABASE_FOLDERS = [
  'packages/postgres/src/',
  'packages/server/src/database/',
  'packages/server/src/freshness/',
];
const MIGRATION = /^packages\/server\/migrations\/.+\.sql$/;

const CLOCK =
  /\b(now\s*\(|(current|local)_?(timestamp|time|date)\b|(clock|statement|transaction)_timestamp)/i;
/** Other words for the database's time, and texts that it reads as such. */
const CLOCK_TEXTS = /\btimeofday\b|'(now|today|tomorrow|yesterday)'/i;
const AS_PARAMETER = 'Use a parameter that holds the clock’s time instead.';
const AS_CODE = 'Use TypeScript in one transaction instead.';

/** What SQL must not say (architecture rules 1 and 5), each with what to do instead. */
const BANS: readonly { readonly words: RegExp; readonly instead: string }[] = [
  { words: CLOCK, instead: AS_PARAMETER },
  { words: CLOCK_TEXTS, instead: AS_PARAMETER },
  {
    words: /\b((small|big)?serial\b|as\s+identity\b|sequence\b|nextval)/i,
    instead: 'Use an id that the application makes (@servery/support/ids.ts) instead.',
  },
  { words: /\btrigger\b/i, instead: AS_CODE },
  { words: /\b(function|procedure)\b/i, instead: AS_CODE },
  { words: /(\b|_)advisory/i, instead: 'Use a lock on the row instead.' },
  {
    words: /\b((un)?listen\s+[a-z"]|pg_notify\b)/i,
    instead: 'Use a poll instead; a hint beside a poll is a reviewed exception.',
  },
  {
    // What ends with the transaction (the last argument of set_config) stays with nobody.
    words: /\b(set\s+session\b|set_config\s*\((?![^()]*,\s*true\s*\)))/i,
    instead: 'Use an option of the connection instead.',
  },
];

/** A piece of SQL in a file: its text, and where it begins. */
interface Statement {
  readonly text: string;
  readonly offset: number;
}

/** Holds SQL to stores, the folders of the database and migrations, and to what runs on one machine and on many. */
export function checkSql(source: Source): Finding[] {
  const { path, text, isTest, lineAt } = source;
  if (MIGRATION.test(path)) return findBans(source, [{ text: withoutComments(text), offset: 0 }]);
  const names = touchingNames(source);
  const statements = source.nodes.flatMap(({ node }) => statementsOf(node, names));
  if (isTest || statements.length === 0) return [];
  if (STORE.test(path) || isOfDatabase(path)) return findBans(source, statements);
  const message = 'SQL stands outside of a store. Use a named function in store.ts instead.';
  const lines = new Set(statements.map(({ offset }) => lineAt(offset)));
  return [...lines].map((line) => ({ path, line, rule: 'sql-place', message }));
}

function statementsOf(node: Node, touching: ReadonlySet<string>): Statement[] {
  const isStatement = (tag: Node) => isSqlTag(tag) || isTouching(tag, touching);
  if (node.type === 'TaggedTemplateExpression' && isStatement(node.tag)) {
    return node.quasi.quasis.map(({ value, start }) => ({ text: value.raw, offset: start }));
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return [];
  const { property } = node.callee;
  if (property.type !== 'Identifier' || property.name !== 'unsafe') return [];
  const [statement] = node.arguments;
  if (statement?.type === 'Literal') {
    return [{ text: String(statement.value), offset: statement.start }];
  }
  if (statement?.type === 'TemplateLiteral') {
    return statement.quasis.map(({ value, start }) => ({ text: value.raw, offset: start }));
  }
  return [{ text: '', offset: node.start }];
}

function isSqlTag(tag: Node): boolean {
  if (tag.type === 'MemberExpression') return isSqlTag(tag.property);
  return tag.type === 'Identifier' && /sql$/i.test(tag.name);
}

function isOfDatabase(path: string): boolean {
  return DATABASE_FOLDERS.some((folder) => path.startsWith(folder));
}

function findBans({ path, lineAt }: Source, statements: readonly Statement[]): Finding[] {
  const bans = isOfDatabase(path) ? BANS.filter((ban) => ban.instead !== AS_PARAMETER) : BANS;
  return statements.flatMap(({ text, offset }) =>
    bans.flatMap(({ words, instead }) =>
      [...text.matchAll(new RegExp(words, 'gi'))].map((match) => ({
        path,
        line: lineAt(offset + match.index),
        rule: 'sql-words',
        message: `SQL says \`${match[0].toLowerCase()}\`. ${instead}`,
      })),
    ),
  );
}

/** The text with every comment blanked, so that offsets stay what they are. */
function withoutComments(text: string): string {
  return text.replace(/--.*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
}
