import { type Channel, channelNames } from '@servery/contract';

/** What an object says about where it is shown; the last two are deprecated. */
interface Shown {
  readonly channels: readonly Channel[] | null;
  readonly visibility: 'ALL' | 'POS_ONLY' | 'NONE';
  readonly orderableOnline: 'YES' | 'NO';
}

export const EVERYWHERE: readonly Channel[] = channelNames;

/** Where both it and what it is in are shown, in the order of the channels (MENU-18). */
export function shownWithin(above: readonly Channel[], shown: Shown): readonly Channel[] {
  const own = ownChannels(shown);
  return above.filter((channel) => own.includes(channel));
}

function ownChannels({ channels, visibility, orderableOnline }: Shown): readonly Channel[] {
  if (channels !== null) return channels;
  if (visibility === 'NONE') return [];
  if (visibility === 'POS_ONLY') return ['POS'];
  return orderableOnline === 'YES' ? EVERYWHERE : ['POS', 'KIOSK'];
}
