import type { Element } from 'hast'
import { lineOf } from '../tree/text-of.ts'

/** A removed element. */
export interface Removal {
  /** `region`: next to the content; `noise`, `contents`, `selector`: in it. */
  step: 'region' | 'noise' | 'contents' | 'selector'
  /** The matching rule, or a word for the reason. */
  rule: string
  /** Its text on one line. */
  text: string
}

declare module 'vfile' {
  interface DataMap {
    removals: Removal[]
  }
}

export const removalOf = (step: Removal['step'], rule: string, element: Element): Removal => ({
  step,
  rule,
  text: lineOf(element),
})
