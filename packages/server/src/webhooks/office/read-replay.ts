import { parseGuid } from '@servery/support/ids.ts';
import { readKnownFields } from '../../http/body-fields.ts';
import type { Fields } from '../../http/fields.ts';
import { parseInstant } from '../../text/instant.ts';
import type { ReplaySelection } from '../delivery/replay-store.ts';

/** Which events are to be sent again, and whether they are only counted. */
export interface ReplayBody {
  readonly selection: ReplaySelection;
  readonly isDryRun: boolean;
  /** Null when any number is right. */
  readonly expectedCount: number | null;
  /** By which the same replay is known when it is asked for again; null for a new one. */
  readonly requestGuid: string | null;
}

/** Reads the body that replays. Throws what `readKnownFields` throws. */
export function readReplay(body: unknown): ReplayBody {
  return readKnownFields(body, (fields) => ({
    selection: readSelection(fields),
    isDryRun: fields.lacks('dryRun') ? false : fields.flag('dryRun'),
    expectedCount: fields.lacks('expectedCount') ? null : readCount(fields, 'expectedCount'),
    requestGuid:
      fields.lacks('requestGuid') || fields.isNull('requestGuid')
        ? null
        : readGuid(fields, 'requestGuid'),
  }));
}

function readSelection(fields: Fields): ReplaySelection {
  switch (fields.choice('which', ['FAILED', 'EVENT', 'RANGE', 'SINCE'])) {
    case 'EVENT':
      return { kind: 'event', eventGuid: readGuid(fields, 'eventGuid') };
    case 'RANGE': {
      const from = readCount(fields, 'fromPosition') ?? 0;
      const to = readCount(fields, 'toPosition') ?? 0;
      if (from > to) fields.fault('toPosition', 'must not be before fromPosition');
      return { kind: 'range', from, to };
    }
    case 'SINCE':
      return { kind: 'since', at: new Date(readSince(fields)) };
    case 'FAILED':
      return { kind: 'failed' };
  }
}

function readGuid(fields: Fields, name: string): string {
  const text = fields.text(name, (given) => (parseGuid(given) ? null : 'must be a GUID'));
  return parseGuid(text) ?? '';
}

function readSince(fields: Fields): number {
  const isInstant = (text: string) =>
    parseInstant(text) === null ? 'must be an instant such as 2027-01-31T00:00:00.000Z' : null;
  return parseInstant(fields.text('since', isInstant)) ?? 0;
}

function readCount(fields: Fields, name: string): number | null {
  if (fields.isNull(name)) {
    if (name !== 'expectedCount') fields.fault(name, 'must be a whole number from 0');
    return null;
  }
  const value = fields.number(name);
  if (value !== null && !(Number.isSafeInteger(value) && value >= 0)) {
    fields.fault(name, 'must be a whole number from 0');
  }
  return value;
}
