import { faultKindNames, faultKinds, faultProfiles, faultText } from '@servery/contract';
import { completeFault } from '../../../packages/server/src/faults/fault.ts';
import { profiles } from '../../../packages/server/src/faults/profiles.ts';
import { table } from './table.ts';

/** What docs/reference/faults.md shows of the code, by the name of its place in the page. */
export function faultParts(): Record<string, string> {
  return { kinds: kindsTable(), profiles: profilesList() };
}

function kindsTable(): string {
  const rows = faultKindNames.map((kind) => {
    const { phase, does, ...rest } = faultKinds[kind];
    const parameter = 'parameter' in rest ? parameterText(rest.parameter, rest.fallback) : '';
    return [phase, `\`${kind}\``, does, parameter];
  });
  return table(['Phase', 'Fault', 'What happens', 'Parameter (default)'], rows);
}

function parameterText(parameter: string, fallback: string | number | null): string {
  return fallback === null ? `\`${parameter}\`` : `\`${parameter}\` (${fallback})`;
}

function profilesList(): string {
  const lines = faultProfiles.map((name) => {
    const mixed = profiles[name].map(({ fault, rate }) => {
      const percent = Number((rate * 100).toFixed(1));
      return `\`${faultText(completeFault(fault).fault)}\` ${percent}%`;
    });
    return `- \`${name}\`: ${mixed.length === 0 ? 'nothing goes wrong' : mixed.join(', ')}\n`;
  });
  return lines.join('');
}
