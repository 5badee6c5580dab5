/** A server that cannot be moved; `message` gives the reason, without secrets. */
export class NotMoved extends Error {
  override readonly name = 'NotMoved'
}
