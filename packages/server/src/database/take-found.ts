/**
 * Finds rows and takes them, where several processes find the same ones and each row goes to one of
 * them. Returns nothing only if nothing is found: when others were faster with all of it, what
 * follows may still be free.
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
