import type { JsonObject } from '../../protocol/message.ts'

/** Capabilities that servers act upon. Others would only cause more instances. */
const served = ['elicitation', 'extensions', 'roots', 'sampling']

/** The capabilities of a client that servers use, in a fixed order. */
export function capabilitiesOf(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(
    served.flatMap((key) =>
      capabilities[key] === undefined ? [] : [[key, capabilities[key]] as const],
    ),
  )
}

export const capabilitiesKey = (capabilities: JsonObject): string =>
  JSON.stringify(capabilitiesOf(capabilities))
