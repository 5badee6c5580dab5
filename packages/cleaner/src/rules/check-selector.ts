import type { Root } from 'hast'
import { select } from 'hast-util-select'
import { CleanError } from '../clean-error.ts'

const empty: Root = { type: 'root', children: [] }

/** Returns the selector. @throws {CleanError} `bad_selector` if it is invalid. */
export function checkSelector(selector: string): string {
  try {
    select(selector, empty)
    return selector
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new CleanError(
      'bad_selector',
      `${JSON.stringify(selector)} is not a valid CSS selector: ${detail}`,
    )
  }
}
