/** What a coordinator did, by its log with all statements and those that it sent to other nodes. */
export interface StatementCounts {
  /** Without BEGIN, COMMIT, and the like. */
  readonly statements: number;
  /** Of which so many asked other nodes. */
  readonly atWorkers: number;
  /** The parts of those, each about one shard. */
  readonly shards: number;
  readonly mostShards: number;
  /** Parts of transactions that other nodes prepared. */
  readonly prepared: number;
}

interface Entry {
  readonly pid: string;
  readonly level: string;
  readonly text: string;
}

const control = /^(begin|commit|rollback|start|set|reset|show|deallocate)\b/i;
const ofShard = /^issuing \s*(select|insert|update|delete|with)\b/i;
const ofTransaction = /\bassign_distributed_transaction_id\b/;

/** The texts of all statements; a parameter has its place in them, and not its value. */
export function listStatements(log: string): string[] {
  return entriesOf(log).flatMap((entry) => statementIn(entry) ?? []);
}

/** Leaves the statements of some texts out. */
export function countStatements(log: string, ignored: ReadonlySet<string>): StatementCounts {
  const statements: { parts: number }[] = [];
  const current = new Map<string, { parts: number } | null>();
  let prepared = 0;
  for (const entry of entriesOf(log)) {
    const text = statementIn(entry);
    if (text !== null) {
      const counted = control.test(text) || ignored.has(text) ? null : { parts: 0 };
      if (counted) statements.push(counted);
      current.set(entry.pid, counted);
    }
    if (entry.level !== 'NOTICE') continue;
    if (entry.text.startsWith('issuing PREPARE TRANSACTION')) prepared += 1;
    const counted = current.get(entry.pid);
    if (counted && ofShard.test(entry.text) && !ofTransaction.test(entry.text)) counted.parts += 1;
  }
  const parts = statements.map((one) => one.parts);
  return {
    statements: statements.length,
    atWorkers: parts.filter((count) => count > 0).length,
    shards: parts.reduce((sum, count) => sum + count, 0),
    mostShards: Math.max(0, ...parts),
    prepared,
  };
}

/** Of the platform's sessions. */
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
