import { scenarios } from '../../../packages/cli/src/certify/scenarios.ts';
import { table } from './table.ts';

/** What docs/reference/certify.md shows of the code, by the name of its place in the page. */
export function certifyParts(): Record<string, string> {
  const rows = scenarios.map(({ name, task, title, rule }) => [
    `\`${name}\``,
    `\`${task}\``,
    title,
    rule,
  ]);
  return { scenarios: table(['Scenario', 'Task', 'A good integration', 'Rule'], rows) };
}
