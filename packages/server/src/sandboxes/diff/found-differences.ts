import {
  type SandboxDifference,
  type SandboxDifferences,
  sandboxDifferencesAtMost,
} from '@servery/contract';

export type DifferenceList = 'added' | 'removed' | 'changed';

/** Lists that fill up. It only counts as truncated once there is another difference. */
export class FoundDifferences implements SandboxDifferences {
  readonly added: SandboxDifference[] = [];
  readonly removed: SandboxDifference[] = [];
  readonly changed: SandboxDifference[] = [];
  truncated = false;

  add(list: DifferenceList, difference: SandboxDifference): void {
    if (this.#isFull(list)) this.truncated = true;
    else this[list].push(difference);
  }

  /** Whether a difference in one of these lists would tell anything new. */
  wants(lists: readonly DifferenceList[]): boolean {
    return !this.truncated || lists.some((list) => !this.#isFull(list));
  }

  #isFull(list: DifferenceList): boolean {
    return this[list].length >= sandboxDifferencesAtMost;
  }
}
