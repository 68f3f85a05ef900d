import type { ComponentType } from 'preact';
import type { IconName } from './parts/icon.tsx';

/** Something that Ctrl-K finds. */
export interface Found {
  readonly label: string;
  readonly detail?: string;
  /** Where it leads. */
  readonly href: string;
}

/** One screen. Each has a folder in `screens/`, whose `screen.ts` exports its description. */
export interface Screen {
  /** The first part of its address below the console. The screen reads the rest itself. */
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** Its place in the navigation; null for a screen that only links lead to. */
  readonly order: number | null;
  /** Only people who hold this scope somewhere see it; null for everybody. */
  readonly scope: string | null;
  /** Loaded when it is first opened. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** What Ctrl-K finds here for a text of at least two characters. */
  readonly find?: (text: string, restaurantGuid: string | null) => Promise<readonly Found[]>;
}

const found = import.meta.glob<Screen>('./screens/*/screen.ts', { eager: true, import: 'default' });

export const screens: readonly Screen[] = Object.values(found).sort(
  (one, other) => (one.order ?? 99) - (other.order ?? 99),
);
