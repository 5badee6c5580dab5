/** What was to be sent to a process, and none of it was read: it may be sent to another. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered'
}
