import type { SecureContext } from 'node:tls';
import { machineTimer, type Timer } from '@servery/support/timer.ts';
import { type DialDeps, interfaceAddresses, openSocket } from './dial.ts';
import { Exchange } from './exchange.ts';
import type { Line } from './line.ts';
import { askNameServers } from './names.ts';
import type { Outcome } from './outcome.ts';
import { readTarget, type Target, type TargetRefusal } from './read-target.ts';
import type { TargetRules } from './rules.ts';
import type { Post, Targets } from './targets.ts';

export interface TargetsOptions extends Partial<Omit<DialDeps, 'rules' | 'secureContext'>> {
  readonly rules: TargetRules;
  readonly timer?: Timer;
  readonly secureContext?: SecureContext;
}

/** A new connection follows DNS changes. */
const LINE_AGE_MS = 60_000;

interface Lane {
  readonly target: Target;
  readonly idle: KeptLine[];
  underWay: number;
}

interface KeptLine {
  readonly line: Line;
  readonly sinceMs: number;
}

/** Each address has its own lines, so none waits for another. The caller limits parallel posts. */
export function openTargets(options: TargetsOptions): Targets {
  const { timer = machineTimer } = options;
  const deps: DialDeps = {
    rules: options.rules,
    names: options.names ?? askNameServers(),
    open: options.open ?? openSocket,
    ownAddresses: options.ownAddresses ?? interfaceAddresses,
    ...(options.secureContext ? { secureContext: options.secureContext } : {}),
    ...(options.onBlocked ? { onBlocked: options.onBlocked } : {}),
  };
  const lanes = new Lanes(deps, timer);
  return {
    post: (post) => lanes.post(post),
    close: async () => lanes.close(),
  };
}

class Lanes {
  readonly #deps: DialDeps;
  readonly #timer: Timer;
  readonly #lanes = new Map<string, Lane>();
  readonly #underWay = new Set<Exchange>();
  #isClosed = false;

  constructor(deps: DialDeps, timer: Timer) {
    this.#deps = deps;
    this.#timer = timer;
  }

  async post(post: Post): Promise<Outcome> {
    if (this.#isClosed) return failed('stopped', 'The process is stopping.');
    const lane = this.#laneOf(post.url);
    if ('refusal' in lane) return failed('blocked', lane.refusal);
    lane.underWay += 1;
    try {
      const kept = takeIdle(lane);
      const outcome = await this.#exchange(lane, kept, post);
      // The receiver may have closed an idle line at this very moment: nothing was sent, which says
      // nothing about the receiver.
      const isStale = outcome.kind === 'connectionBroken' && (kept?.line.served ?? 0) > 0;
      return isStale && !this.#isClosed ? await this.#exchange(lane, null, post) : outcome;
    } finally {
      lane.underWay -= 1;
      this.#forgetEmpty(post.url, lane);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const exchange of this.#underWay) exchange.stop();
    for (const lane of this.#lanes.values()) {
      for (const { line } of lane.idle.splice(0)) line.destroy(new Error('closed'));
    }
    this.#lanes.clear();
  }

  async #exchange(lane: Lane, kept: KeptLine | null, post: Post): Promise<Outcome> {
    const used = kept ?? (await this.#newLine(post, lane));
    if (this.#isClosed) {
      used.line.destroy(new Error('closed'));
      return failed('stopped', 'The process is stopping.');
    }
    const exchange = new Exchange(used.line, lane.target.path, post, this.#timer);
    this.#underWay.add(exchange);
    const outcome = await exchange.outcome;
    this.#underWay.delete(exchange);
    this.#keep(lane, used, outcome);
    return outcome;
  }

  async #newLine({ url, connectTimeoutMs }: Post, lane: Lane): Promise<KeptLine> {
    // Loaded at the first post, because of its hundred modules.
    const { Line } = await import('./line.ts');
    const onGone = (gone: Line) => {
      const at = lane.idle.findIndex(({ line }) => line === gone);
      if (at < 0) return;
      lane.idle.splice(at, 1);
      gone.destroy(new Error('gone'));
      this.#forgetEmpty(url, lane);
    };
    const line = new Line(this.#deps, lane.target, { connectTimeoutMs, onGone });
    return { line, sinceMs: this.#timer.elapsedMs() };
  }

  #keep(lane: Lane, used: KeptLine, outcome: Outcome): void {
    if (outcome.kind !== 'answered' || outcome.end !== 'whole') return;
    const isOld = this.#timer.elapsedMs() - used.sinceMs > LINE_AGE_MS;
    if (isOld || this.#isClosed || !used.line.isConnected) used.line.destroy(new Error('not kept'));
    else lane.idle.push(used);
  }

  #laneOf(url: string): Lane | TargetRefusal {
    const known = this.#lanes.get(url);
    if (known) return known;
    const target = readTarget(url, this.#deps.rules);
    if ('refusal' in target) return target;
    const lane: Lane = { target, idle: [], underWay: 0 };
    this.#lanes.set(url, lane);
    return lane;
  }

  #forgetEmpty(url: string, lane: Lane): void {
    const isEmpty = lane.underWay === 0 && lane.idle.length === 0;
    if (isEmpty && this.#lanes.get(url) === lane) this.#lanes.delete(url);
  }
}

/** Reuses the newest line, so that the others age and close. */
function takeIdle(lane: Lane): KeptLine | null {
  return lane.idle.pop() ?? null;
}

function failed(kind: 'stopped' | 'blocked', explanation: string): Outcome {
  return { kind, explanation, address: null, durationMs: 0 };
}
