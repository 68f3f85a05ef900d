import type { TextStream } from '../support/text-stream.ts';
import { ApiError } from './errors.ts';

export interface StreamLimits {
  readonly atMost: number;
  readonly atMostOfOne: number;
}

interface OpenStream {
  readonly by: string;
  readonly text: TextStream;
}

/** The streams of one kind that this process has open. */
export class OpenStreams<Stream extends OpenStream> {
  readonly #limits: StreamLimits;
  readonly #open = new Set<Stream>();
  #isStopped = false;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  get all(): readonly Stream[] {
    return [...this.#open];
  }

  /** Throws ApiError `tooManyRequests` beyond the limits of the process or the caller. */
  open(by: string, make: (onEnd: () => void) => Stream): AsyncIterable<string> {
    const { atMost, atMostOfOne } = this.#limits;
    if (this.#open.size >= atMost || this.#isStopped) {
      throw tooMany('This server already has the maximum number of streams');
    }
    if (this.all.filter((stream) => stream.by === by).length >= atMostOfOne) {
      throw tooMany('You already follow the maximum number of streams');
    }
    const stream: Stream = make(() => this.#open.delete(stream));
    this.#open.add(stream);
    return stream.text;
  }

  stop(): void {
    this.#isStopped = true;
    for (const { text } of this.all) text.end();
  }
}

function tooMany(what: string): ApiError {
  return new ApiError('tooManyRequests', `${what}: end one, or try again in a minute.`, {
    headers: { 'retry-after': '60' },
  });
}
