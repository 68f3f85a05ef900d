import { type Config, type Database, type EndingKey, load } from '@servery/server';
import { broken, type Finding, fine, worth } from './finding.ts';

const { listEndingCardKeys, listEndingSecrets, listSigningKeys } = await load.checks();

const DAY_MS = 86_400_000;
/** A partner needs time to take a new key or secret into use. */
const NEAR_MS = 30 * DAY_MS;
/** A secret that ended long ago was replaced long ago. */
const RECENT_MS = 7 * DAY_MS;
const SHOWN = 5;

/** Card keys, client secrets and signing keys that end soon, by the clock of the environment. */
export async function checkKeys(
  config: Config,
  { sql }: Database,
  nowMs: number,
): Promise<Finding[]> {
  const soon = new Date(nowMs + NEAR_MS);
  const cardKeys = await listEndingCardKeys(sql, soon);
  const secrets = await listEndingSecrets(sql, new Date(nowMs - RECENT_MS), soon);
  return [
    ...ending('card keys', cardKeys, nowMs, (id) => `servery keys issue ${id} --pending`),
    ...ending('secrets', secrets, nowMs, (id) => `servery clients secrets add ${id}`),
    ...(await checkSigningKeys(config, sql, nowMs)),
  ];
}

function ending(
  check: string,
  keys: readonly EndingKey[],
  nowMs: number,
  fixOf: (clientId: string) => string,
): Finding[] {
  if (keys.length === 0) return [fine(check, 'none expires within 30 days')];
  const findings = keys.slice(0, SHOWN).map((key) => {
    const isOver = key.endsAt.getTime() <= nowMs;
    const found = `${key.name} of ${key.clientId} ${isOver ? 'expired' : 'expires'} at`;
    return (isOver ? broken : worth)(
      check,
      `${found} ${key.endsAt.toISOString()}`,
      fixOf(key.clientId),
    );
  });
  if (keys.length <= SHOWN) return findings;
  const more = `${keys.length - SHOWN} more have expired or expire within 30 days`;
  return [...findings, worth(check, more, 'fix these, then run servery doctor again')];
}

/** They replace themselves while a server runs; one that is too old tells that none did. */
async function checkSigningKeys(
  { signingKeyDays }: Config,
  sql: Database['sql'],
  nowMs: number,
): Promise<Finding[]> {
  const youngest = (await listSigningKeys(sql)).at(-1);
  if (!youngest) return [fine('signing keys', 'the first start creates one')];
  const ageDays = Math.floor((nowMs - youngest.activeFromMs) / DAY_MS);
  const found = `the newest has been in use for ${Math.max(ageDays, 0)} days`;
  return ageDays > signingKeyDays
    ? [worth('signing keys', `${found}, but the setting is ${signingKeyDays}`, 'servery start')]
    : [fine('signing keys', found)];
}
