/** What there is to check something with is missing. In the ring itself, that is a failure. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}
