import { appsExtension } from '../protocol/apps.ts'
import type { JsonObject } from '../protocol/message.ts'

/** Capabilities that servers act upon. Others would only cause more instances. */
const served = ['elicitation', 'extensions', 'roots', 'sampling']

/**
 * Declared to a server of 2025 once, for all its clients: what can be passed on to some of them.
 * Questions to a client that cannot show them are answered for it.
 */
export const anyClient: JsonObject = {
  elicitation: { form: {}, url: {} },
  extensions: { [appsExtension]: { mimeTypes: ['text/html;profile=mcp-app'] } },
  roots: { listChanged: true },
  sampling: { tools: {} },
}

/** The capabilities of a client that servers use, in a fixed order. */
export function capabilitiesOf(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(
    served.flatMap((key) =>
      capabilities[key] === undefined ? [] : [[key, capabilities[key]] as const],
    ),
  )
}
