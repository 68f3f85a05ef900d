import type { OrderedItem } from './ordered-item.ts';

/** What a client process is told to do. */
export interface ClientOrder {
  /** Its name in the history. */
  readonly client: string;
  readonly seed: number;
  /** How many guests it plays at once. */
  readonly guests: number;
  readonly servers: readonly string[];
  readonly demoFile: string;
  readonly items: readonly OrderedItem[];
  readonly historyFile: string;
}
