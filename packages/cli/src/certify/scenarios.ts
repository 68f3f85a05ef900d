import { hearingScenarios } from './hearing.ts';
import { readingScenarios } from './reading.ts';
import type { Scenario } from './scenario.ts';
import { sellingScenarios } from './selling.ts';

export const scenarios: readonly Scenario[] = [
  ...readingScenarios,
  ...sellingScenarios,
  ...hearingScenarios,
];
