/** The Damerau–Levenshtein distance: two neighbors that are swapped are one typo. */
export function typosBetween(one: string, other: string): number {
  const letters = [...one];
  const meant = [...other];
  let before: number[] = [];
  let row = Array.from({ length: meant.length + 1 }, (_, at) => at);
  for (const [line, letter] of letters.entries()) {
    const next = [line + 1];
    for (const [at, own] of meant.entries()) {
      const changed = (row[at] ?? 0) + (letter === own ? 0 : 1);
      const isSwapped = letter === meant[at - 1] && letters[line - 1] === own;
      const swapped = isSwapped ? (before[at - 1] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
