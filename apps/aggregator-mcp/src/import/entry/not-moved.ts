/** A server has to stay where it is; `message` says why, without what may be secret. */
export class NotMoved extends Error {
  override readonly name = 'NotMoved'
}
