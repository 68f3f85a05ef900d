/** What a coordinator did, from its log of all statements and of those it sent to other nodes. */
export interface StatementCounts {
  /** Without BEGIN, COMMIT, and the like. */
  readonly statements: number;
  /** How many of these asked other nodes. */
  readonly atWorkers: number;
  /** The parts of those, each about one shard. */
  readonly shards: number;
  /** How often each statement asked several nodes. It fails unless all of them are up. */
  readonly wide: ReadonlyMap<string, number>;
  /** Parts of transactions that other nodes prepared. */
  readonly prepared: number;
}

interface Entry {
  readonly pid: string;
  readonly level: string;
  readonly text: string;
}

interface Counted {
  readonly text: string;
  parts: number;
  readonly nodes: Set<string>;
}

const control = /^(begin|commit|rollback|start|set|reset|show|deallocate)\b/i;
const ofShard = /^issuing (select|insert|update|delete|with|copy public)\b/i;
const ofTransaction = /\bassign_distributed_transaction_id\b/;
const onServer = /^on server (\S+)/;

/** The texts of all statements, with placeholders instead of parameter values. */
export function listStatements(log: string): string[] {
  return entriesOf(log).flatMap((entry) => statementIn(entry) ?? []);
}

/** Does not count statements whose text is in `ignored`. */
export function countStatements(log: string, ignored: ReadonlySet<string>): StatementCounts {
  const statements: Counted[] = [];
  const current = new Map<string, Counted | null>();
  let prepared = 0;
  for (const entry of entriesOf(log)) {
    const text = statementIn(entry);
    if (text !== null) {
      const isCounted = !control.test(text) && !ignored.has(text);
      const begun = isCounted ? { text, parts: 0, nodes: new Set<string>() } : null;
      if (begun) statements.push(begun);
      current.set(entry.pid, begun);
    }
    if (entry.text.startsWith('issuing PREPARE TRANSACTION')) prepared += 1;
    const counted = current.get(entry.pid);
    if (!counted) continue;
    const [, node] = onServer.exec(entry.text) ?? [];
    if (node) counted.nodes.add(node);
    if (ofShard.test(entry.text) && !ofTransaction.test(entry.text)) counted.parts += 1;
  }
  const wide = Map.groupBy(
    statements.filter(({ nodes }) => nodes.size > 1),
    ({ text }) => text,
  );
  return {
    statements: statements.length,
    atWorkers: statements.filter(({ parts }) => parts > 0).length,
    shards: statements.reduce((sum, { parts }) => sum + parts, 0),
    wide: new Map([...wide].map(([text, some]) => [text, some.length])),
    prepared,
  };
}

/** Only those of the platform's sessions. */
function entriesOf(log: string): Entry[] {
  return log.split(/^(?=<\d+ )/m).flatMap((text) => {
    const [, pid, level, told] = /^<(\d+) servery> (\w+): +(.*)$/s.exec(text) ?? [];
    return pid && level && told ? [{ pid, level, text: told }] : [];
  });
}

function statementIn({ level, text }: Entry): string | null {
  if (level !== 'LOG') return null;
  return /^(?:execute [^:]*|statement): (.*)$/s.exec(text)?.[1]?.trim() ?? null;
}
