import type { Fields } from './connection.ts'

/** What a client says it can be asked, in one order. */
export function abilitiesOf(capabilities: Fields): Fields {
  return Object.fromEntries(
    Object.entries(capabilities)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

export const abilitiesKey = (capabilities: Fields): string =>
  JSON.stringify(abilitiesOf(capabilities))
