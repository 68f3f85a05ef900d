/** The present of a receiver: the clock of its machine, in epoch milliseconds. */
export function presentMs(): number {
  return Date.now();
}
