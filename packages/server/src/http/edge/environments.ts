import type { Log } from '../../support/log.ts';
import type { ReadyPathDeps } from '../fast/ready-path.ts';
import type { OperationHandlers } from '../operation.ts';
import type { RequestObserver } from '../pipeline/observe.ts';
import type { PipelineDeps } from '../pipeline/pipeline.ts';

/** What an environment answers with. */
export interface EnvironmentDeps extends PipelineDeps {
  readonly log: Log;
  readonly observers: readonly RequestObserver[];
  readonly cache?: Pick<ReadyPathDeps, 'freshness' | 'answers' | 'requests'>;
}

/** Lets requests into the sandboxes beside the main environment. */
export interface SandboxEntrance {
  /** Throws ApiError if there is none. The caller calls `leave` once the request is over. */
  enter(name: string): Promise<Visit>;
}

export interface Visit {
  readonly environment: AnsweringEnvironment;
  leave(): void;
}

export interface AnsweringEnvironment {
  readonly deps: EnvironmentDeps;
  readonly handlers: OperationHandlers;
}
