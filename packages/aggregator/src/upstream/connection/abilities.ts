import type { Fields } from '../../protocol/message.ts'

/** What servers act upon; all else would only multiply them. */
const abilities = ['elicitation', 'extensions', 'roots', 'sampling']

/** What a client says it can be asked, in one order. */
export function abilitiesOf(capabilities: Fields): Fields {
  return Object.fromEntries(
    abilities.flatMap((key) =>
      capabilities[key] === undefined ? [] : [[key, capabilities[key]] as const],
    ),
  )
}

export const abilitiesKey = (capabilities: Fields): string =>
  JSON.stringify(abilitiesOf(capabilities))
