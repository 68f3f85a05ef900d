import assert from 'node:assert/strict';
import { type Place, succeed } from './account.ts';

/** Judges the platform of the folder, and an integration that does nothing. */
export async function judge(place: Place, servery: readonly string[], url: string): Promise<void> {
  const conform = [...servery, 'conform', url, '--only', 'AUTH-2', '--json'];
  const platform = JSON.parse(await succeed(place, conform));
  assert.ok(platform.checks.length > 0);
  for (const { title, outcome } of platform.checks) assert.equal(outcome, 'passed', title);

  const certify = [...servery, 'certify', '--command', 'true', '--only', 'pages', '--json'];
  const integration = JSON.parse(await succeed(place, certify));
  const [{ outcome, message }] = integration.checks;
  assert.equal(outcome, 'notChecked', message);
}
