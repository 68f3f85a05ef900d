import type { Judgement, Look, Span, Subject } from './subject.ts';

/** Something that is looked at when a request is sent, whatever its states are. */
export type Watched = Pick<
  Subject<unknown>,
  'name' | 'look' | 'newestAt' | 'states' | 'latenessMs' | 'judgeAny'
>;

/** What an answer says of one thing. */
export interface Claim {
  readonly subject: Watched;
  /** In words, for a report. */
  readonly said: string;
  judge(look: Look, endMs: number, span?: Span): Judgement;
}

/** Says that the thing was in a state that matches. */
export function claim<State>(
  subject: Subject<State>,
  said: string,
  matches: (state: State) => boolean,
): Claim {
  return {
    subject,
    said,
    judge: (look, endMs, span) => subject.judge(look, endMs, matches, span),
  };
}

/** An answer that no single moment explains, whatever the history says. */
export class Misfit extends Error {
  readonly kind: 'mixed' | 'foreign' | 'strange';

  constructor(kind: Misfit['kind'], message: string) {
    super(message);
    this.name = 'Misfit';
    this.kind = kind;
  }
}

/** Says that the thing is no longer, or not yet, in any of these states. */
export function claimOfOther(subject: Watched, { from, to }: Span): Claim {
  const judge = (look: Look, endMs: number, span: Span) => subject.judgeAny(look, endMs, span);
  return {
    subject,
    said: `another one than ${from} to ${to}`,
    judge(look, endMs) {
      const newer = judge(look, endMs, { from: from + 1, to: Infinity });
      if (!newer.fault) return newer;
      const older = judge(look, endMs, { from: 0, to: from - 1 });
      return older.fault ? newer : older;
    },
  };
}
