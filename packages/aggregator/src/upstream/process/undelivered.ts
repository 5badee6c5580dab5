/** A process has read nothing of a message: it can be sent to another one. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered'
}
