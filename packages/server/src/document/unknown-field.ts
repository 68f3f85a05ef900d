export function unknownField(name: string, known: readonly string[]): string {
  const nearest = known.find((candidate) => isNear(candidate, name));
  return nearest
    ? `is no field here; perhaps "${nearest}" is meant`
    : `is no field here; remove it. Known are ${known.join(', ')}`;
}

function isNear(candidate: string, name: string): boolean {
  // Comparing a name as long as the document would take minutes.
  if (Math.abs(candidate.length - name.length) > 2) return false;
  const [left, right] = [candidate.toLowerCase(), name.toLowerCase()];
  return left === right || editDistance(left, right) <= Math.min(2, left.length / 3);
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
