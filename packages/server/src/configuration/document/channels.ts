import type { StoredFields } from '@servery/contract';
import type { Place } from '../../document/faults.ts';

type Shown = Pick<StoredFields<'menuItems'>, 'channels' | 'orderableOnline' | 'visibility'>;
type Channels = NonNullable<Shown['channels']>;
type Deprecated = Pick<Shown, 'orderableOnline' | 'visibility'>;

const DEPRECATED = ['visibility', 'orderableOnline'] as const;

/** What the deprecated fields say for partners that don't know channels (MENU-18). */
function deprecatedOf(channels: Channels): Deprecated {
  const isOnline =
    channels.includes('PLATFORM_ONLINE_ORDERING') || channels.includes('ORDERING_PARTNERS');
  return { visibility: visibilityOf(channels), orderableOnline: isOnline ? 'YES' : 'NO' };
}

function visibilityOf(channels: Channels): Shown['visibility'] {
  if (channels.length === 0) return 'NONE';
  return channels.every((channel) => channel === 'POS') ? 'POS_ONLY' : 'ALL';
}

/** Channels set the deprecated fields. A document can name both if they agree. */
export function withDeprecatedFields(
  fields: Readonly<Record<string, unknown>>,
  written: Readonly<Record<string, unknown>>,
  place: Place,
): Readonly<Record<string, unknown>> {
  const { channels } = fields as unknown as Shown;
  if (channels === null || channels === undefined) return fields;
  const derived = deprecatedOf(channels);
  for (const field of DEPRECATED) {
    const value = written[field];
    if (value === undefined || value === derived[field]) continue;
    place.fault(`must be ${JSON.stringify(derived[field])} for these channels, or absent`, field);
  }
  return { ...fields, ...derived };
}

/**
 * An edit of one of the two replaces the other: channels set the deprecated fields, and without
 * channels the deprecated fields say where it is shown.
 */
export function withoutReplaced<Document extends Readonly<Record<string, unknown>>>(
  document: Document,
  edit: Readonly<Record<string, unknown>>,
): Document {
  const isSet = (field: string) => Object.hasOwn(edit, field);
  const replaced = DEPRECATED.filter((field) => !isSet(field));
  const hasChannels = isSet('channels') && edit.channels !== null;
  if (hasChannels) return without(document, replaced);
  const hasDeprecated = replaced.length < DEPRECATED.length;
  return hasDeprecated && !isSet('channels') ? without(document, ['channels']) : document;
}

function without<Document extends object>(document: Document, names: readonly string[]): Document {
  const kept = Object.entries(document).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept) as Document;
}
