/**
 * Finds rows and takes them. Several processes may find the same rows, but only one gets each row.
 * Returns nothing only if nothing is found: if others took all that was found, later rows may still
 * be free.
 */
export async function takeFound<Found, Taken>(
  find: () => Promise<readonly Found[]>,
  take: (found: readonly Found[]) => Promise<readonly Taken[]>,
): Promise<readonly Taken[]> {
  for (;;) {
    const found = await find();
    if (found.length === 0) return [];
    const taken = await take(found);
    if (taken.length > 0) return taken;
  }
}
