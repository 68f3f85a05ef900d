import type { Task } from './integration.ts';
import type { Finding, Stage } from './stage.ts';

/** Something that happens to an integration, and what it has to do about it. */
export interface Scenario {
  readonly name: string;
  readonly task: Task;
  /** What a good integration does. */
  readonly title: string;
  /** The rule of the reference behind it. */
  readonly rule: string;
  /** Each gets a sandbox of its own. */
  run(stage: Stage): Promise<Finding>;
}
