/** A part of a file that is read page by page. Positions are UTF-16 offsets. */
export interface Span {
  start: number
  /** Where the signature ends; `start` where there is none. */
  body: number
  end: number
}
