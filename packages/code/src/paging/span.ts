/** A part of a file that is paged. Positions are UTF-16 offsets. */
export interface Span {
  start: number
  /** End of the signature; `start` if it has no signature. */
  body: number
  end: number
}
