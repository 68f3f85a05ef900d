/** A count with its noun: `1 restaurant`, `2 restaurants`. */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
