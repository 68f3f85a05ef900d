/** A processor profile as V8 gives it; times in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  /** The node on top at each sample. */
  readonly samples: readonly number[];
  /** How long after the sample before. */
  readonly timeDeltas: readonly number[];
}

/** How long something was on top of the stack. */
export interface SelfTime {
  readonly name: string;
  readonly selfMs: number;
}

/** The self times of a profile, each list the longest first. */
export interface SelfTimes {
  /** With the idle time. */
  readonly totalMs: number;
  readonly functions: readonly SelfTime[];
  /** Files of the product, packages, and parts of Node. */
  readonly files: readonly SelfTime[];
}

/** Adds up how long each function, and each file or package, was on top of the stack. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): SelfTimes {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const files = new Map<string, number>();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const micros = timeDeltas[index] ?? 0;
    if (!frame) continue;
    total += micros;
    const place = placeOf(frame.url);
    const name = frame.functionName === '' ? '(anonymous)' : frame.functionName;
    // V8 calls what it does itself (idle), (program) and (garbage collector).
    const file = place === '' ? name : place;
    add(functions, place === '' ? name : `${name} ${place}:${frame.lineNumber + 1}`, micros);
    add(files, packageOf(file), micros);
  }
  return { totalMs: total / 1000, functions: longestFirst(functions), files: longestFirst(files) };
}

function add(times: Map<string, number>, name: string, micros: number): void {
  times.set(name, (times.get(name) ?? 0) + micros);
}

function longestFirst(times: ReadonlyMap<string, number>): SelfTime[] {
  return [...times]
    .map(([name, micros]) => ({ name, selfMs: micros / 1000 }))
    .toSorted((a, b) => b.selfMs - a.selfMs);
}

/** Where a function stands, from the folder of packages on. */
function placeOf(url: string): string {
  return url.replace(/^.*\/(?=(packages|node_modules)\/)/, '');
}

function packageOf(place: string): string {
  return /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(place)?.[1] ?? place;
}
