import type { Gateway } from '../catalog/gateway.ts'
import type { Session } from '../protocol/exchange.ts'
import type { Fields } from '../protocol/message.ts'
import { metaKeys } from '../protocol/meta-keys.ts'
import { abilitiesKey } from '../upstream/connection/abilities.ts'
import { followListened } from './requests/resources.ts'

/** A message of a client, as far as it concerns its listening. */
export interface Incoming {
  id?: string | number | undefined
  method?: string | undefined
  params?: Fields | undefined
}

/**
 * What modern clients listen to. The SDK answers these requests itself and tells its server nothing
 * of them; but servers behind us have to be asked for what is listened to.
 */
export interface Listening {
  /** Resolves when the resources are followed, or cannot be. */
  open(message: Incoming): Promise<void>
  close(id: string | number): void
}

/** A client waits for its stream, not for a server that hangs. */
const longestWaitMs = 3_000

export function isListening({ method }: Incoming): boolean {
  return method === 'subscriptions/listen'
}

export function createListening(session: Session, gateway: Gateway): Listening {
  const open = new Map<string | number, Heard>()
  return {
    async open({ id, params }) {
      const { resourceSubscriptions } = (params?.['notifications'] ?? {}) as Fields
      if (id === undefined || !Array.isArray(resourceSubscriptions)) return
      const meta = (params?.['_meta'] ?? {}) as Fields
      const capabilities = (meta[metaKeys.capabilities] ?? {}) as Fields
      const uris = resourceSubscriptions.filter((uri) => typeof uri === 'string')
      open.set(id, { uris, capabilities })
      const following = followListened(uris, true, { session, capabilities }, gateway)
      await Promise.race([following, sleep(longestWaitMs)])
    },
    close(id) {
      const heard = open.get(id)
      open.delete(id)
      if (heard === undefined) return
      const { capabilities } = heard
      const isHeard = (uri: string): boolean =>
        [...open.values()].some(
          (other) => other.uris.includes(uri) && isAlike(other.capabilities, capabilities),
        )
      const over = heard.uris.filter((uri) => !isHeard(uri))
      if (over.length > 0) void followListened(over, false, { session, capabilities }, gateway)
    },
  }
}

interface Heard {
  uris: readonly string[]
  capabilities: Fields
}

const isAlike = (one: Fields, other: Fields): boolean => abilitiesKey(one) === abilitiesKey(other)

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())
