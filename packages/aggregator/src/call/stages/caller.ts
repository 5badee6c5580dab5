import type { JsonObject } from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import { safeName } from '#servers/protocol/server-account'

/** Stored results can be read by all sessions with the same caller and profile. */
export const ownerOf = ({ access }: Session): string =>
  access?.caller === undefined && access?.profile === undefined
    ? ''
    : JSON.stringify([access.caller, access.profile])

/** What the journal says of a call until the server's tool is known. */
export const calledAs = (params: JsonObject): { kind: 'meta'; tool: string; args: unknown } => ({
  kind: 'meta',
  tool: safeName(String(params['name'])),
  args: params['arguments'],
})
