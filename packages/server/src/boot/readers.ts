/** A server goes on if nobody reads what it says any longer, as after `npm start | head`. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
