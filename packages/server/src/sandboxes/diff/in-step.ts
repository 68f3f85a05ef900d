import type { Place } from './diff-store.ts';

export type ListPage<Row> = (after: Place | null, limit: number) => Promise<readonly Row[]>;

export interface Pair<Row> {
  readonly before: Row | null;
  readonly after: Row | null;
  /** One side has no more rows, so that all that follow have the same side alone. */
  readonly isRestAlike: boolean;
}

const PAGE_ROWS = 5_000;

/** Walks through two lists in the order of their places, and brings the same places together. */
export async function* inStep<Row extends Place>(
  one: ListPage<Row>,
  other: ListPage<Row>,
): AsyncGenerator<Pair<Row>> {
  const [ones, others] = [rowsOf(one), rowsOf(other)];
  let [before, after] = await Promise.all([nextOf(ones), nextOf(others)]);
  while (before || after) {
    const order = compare(before, after);
    const [isBefore, isAfter] = [order <= 0, order >= 0];
    yield {
      before: isBefore ? before : null,
      after: isAfter ? after : null,
      isRestAlike: before === null || after === null,
    };
    [before, after] = await Promise.all([
      isBefore ? nextOf(ones) : before,
      isAfter ? nextOf(others) : after,
    ]);
  }
}

export function placeText({ restaurantGuid, guid }: Place): string {
  return `${restaurantGuid}/${guid}`;
}

/** The end comes after all places. The text of GUIDs has the order that PostgreSQL gives them. */
function compare(one: Place | null, other: Place | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const [text, otherText] = [placeText(one), placeText(other)];
  return Number(text > otherText) - Number(text < otherText);
}

async function* rowsOf<Row extends Place>(list: ListPage<Row>): AsyncGenerator<Row> {
  let after: Row | null = null;
  for (;;) {
    const rows: readonly Row[] = await list(after, PAGE_ROWS);
    yield* rows;
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE_ROWS) return;
  }
}

async function nextOf<Row>(rows: AsyncGenerator<Row>): Promise<Row | null> {
  const { done, value } = await rows.next();
  return done ? null : value;
}
