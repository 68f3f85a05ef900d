import { machineTimer, type Timer } from '@servery/support/timer.ts';
import { type DialDeps, interfaceAddresses, openSocket } from './dial.ts';
import { Exchange, type Post } from './exchange.ts';
import type { Line } from './line.ts';
import { askNameServers } from './names.ts';
import type { Outcome } from './outcome.ts';
import { readTarget, type Target, type TargetRefusal, type TargetRules } from './read-target.ts';

export interface TargetsOptions extends Partial<DialDeps> {
  readonly rules: TargetRules;
  readonly timer?: Timer;
}

/** A new connection follows DNS changes. */
const LINE_AGE_MS = 60_000;

interface Lane {
  readonly target: Target;
  readonly idle: Line[];
  underWay: number;
}

/**
 * The only way this process calls addresses that partners choose. Each address has its own lines, so
 * none waits for another. The caller limits parallel posts.
 */
export class Targets {
  readonly #deps: DialDeps;
  readonly #timer: Timer;
  readonly #lanes = new Map<string, Lane>();
  readonly #underWay = new Set<Exchange>();
  #isClosed = false;

  constructor({ timer = machineTimer, ...options }: TargetsOptions) {
    const own = { open: openSocket, ownAddresses: interfaceAddresses };
    this.#deps = { names: askNameServers(), ...own, ...options };
    this.#timer = timer;
  }

  /** Never throws and follows no redirect. */
  async post(post: Post): Promise<Outcome> {
    if (this.#isClosed) return failed('STOPPED', 'The process is stopping.');
    const lane = this.#laneOf(post.url);
    if ('refusal' in lane) return failed('BLOCKED_TARGET', lane.refusal);
    lane.underWay += 1;
    try {
      // Reuses the newest line, so that the others age and close.
      const kept = lane.idle.pop();
      const outcome = await this.#exchange(lane, kept, post);
      // The receiver may have closed an idle line at this very moment: nothing was sent, which says
      // nothing about the receiver.
      const isStale = outcome.kind === 'RESET' && (kept?.served ?? 0) > 0;
      return isStale && !this.#isClosed ? await this.#exchange(lane, undefined, post) : outcome;
    } finally {
      lane.underWay -= 1;
      this.#forgetEmpty(post.url, lane);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const exchange of this.#underWay) exchange.stop();
    for (const { idle } of this.#lanes.values()) {
      for (const line of idle.splice(0)) line.destroy(new Error('closed'));
    }
    this.#lanes.clear();
  }

  async #exchange(lane: Lane, kept: Line | undefined, post: Post): Promise<Outcome> {
    const line = kept ?? (await this.#newLine(post, lane));
    if (this.#isClosed) {
      line.destroy(new Error('closed'));
      return failed('STOPPED', 'The process is stopping.');
    }
    const exchange = new Exchange(line, lane.target.path, post, this.#timer);
    this.#underWay.add(exchange);
    const outcome = await exchange.outcome;
    this.#underWay.delete(exchange);
    if (outcome.kind === 'ANSWERED' && outcome.end === 'whole') this.#keep(lane, line);
    return outcome;
  }

  async #newLine({ url, connectTimeoutMs }: Post, lane: Lane): Promise<Line> {
    // Loaded at the first post: a hundred modules would slow each start.
    const { Line } = await import('./line.ts');
    const onGone = (gone: Line) => {
      const at = lane.idle.indexOf(gone);
      if (at < 0) return;
      lane.idle.splice(at, 1);
      gone.destroy(new Error('gone'));
      this.#forgetEmpty(url, lane);
    };
    const sinceMs = this.#timer.elapsedMs();
    return new Line(this.#deps, lane.target, { connectTimeoutMs, sinceMs, onGone });
  }

  #keep(lane: Lane, line: Line): void {
    const isOld = this.#timer.elapsedMs() - line.sinceMs > LINE_AGE_MS;
    if (isOld || this.#isClosed || !line.isConnected) line.destroy(new Error('not kept'));
    else lane.idle.push(line);
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

function failed(kind: 'STOPPED' | 'BLOCKED_TARGET', explanation: string): Outcome {
  return { kind, explanation, address: null, durationMs: 0 };
}
