import type { ConfigurationFault } from '@servery/contract';
import { MOST_BYTES, MOST_ENTRIES, MOST_LEVELS, type Refusal } from './limits.ts';

/** What prevents the document from being made, and what to do. */
export function refusalFaults(refusal: Refusal): ConfigurationFault[] {
  if (refusal.reason === 'TOO_DEEP') {
    const { collection, guid, name } = refusal;
    const message = `is more than ${MOST_LEVELS} levels deep in the menus; nest fewer levels`;
    return [{ collection, guid, name, field: '', message }];
  }
  const size = `${MOST_BYTES / 1_048_576} MiB or ${MOST_ENTRIES} modifier entries`;
  const message = `would together exceed ${size}; offer fewer items or modifiers`;
  const largest = refusal.largest.map(({ guid, name, entries }) => ({
    ...{ collection: 'menuOptionGroups', guid, name, field: '' },
    message: `makes up at least ${entries} of the entries; use it in fewer places`,
  }));
  return [{ collection: 'menus', guid: null, name: null, field: '', message }, ...largest];
}
