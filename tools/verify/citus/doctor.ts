import { newGuid } from '@servery/support/ids.ts';
import { servery } from '../../../packages/cli/test/command.ts';
import type { Stage } from '../crash/stage.ts';
import type { CitusCluster } from './cluster.ts';
import { updateReferences, updateToManyConnections } from './cluster-store.ts';
import { onNode } from './node.ts';
import { Payer } from './payer.ts';

interface Finding {
  readonly check: string;
  readonly verdict: string;
  readonly found: string;
}

/**
 * Asks `servery doctor` about a sound cluster, then about one with another setting, rows that refer
 * to nothing, and a worker that is away. Gives the number of wrong answers.
 */
export async function tryDoctor(
  stage: Stage<CitusCluster>,
  tell: (line: string) => void,
): Promise<number> {
  const { postgres: cluster } = stage;
  const payer = new Payer(stage);
  for (const payment of payer.want(1)) await payer.authorize(payment);
  let wrong = 0;
  const must = async (check: string, found: RegExp) => {
    const told = (await examine(cluster.url)).filter((finding) => finding.check === check);
    const text =
      told.map((finding) => `${finding.verdict}: ${finding.found}`).join('; ') || 'nothing';
    const isRight = found.test(text);
    if (!isRight) wrong += 1;
    tell(`doctor on ${check}${isRight ? '' : ', wrong'}: ${text}`);
  };
  await must('workers', /^ok: 2 hold/);
  await must('connections', /^nothing$/);
  await must('rows', /^ok/);
  await onNode(cluster, ({ sql }) => updateToManyConnections(sql));
  await must('connections', /^warn: .* is 16/);
  await onNode(cluster, ({ sql }) => updateReferences(sql, newGuid()));
  await must('rows', /payment\.client_id.*person_role\.restaurant_guid.*restaurant\.management_/);
  await cluster.workers[0]?.kill();
  await must('workers', /^fail: the coordinator cannot reach/);
  return wrong;
}

async function examine(url: string): Promise<readonly Finding[]> {
  const { out, err } = await servery(['doctor', '--json'], { env: { DATABASE_URL: url } });
  if (out === '') throw new Error(`servery doctor said nothing: ${err}`);
  return (JSON.parse(out) as { findings: Finding[] }).findings;
}
