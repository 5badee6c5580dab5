import { createHash } from 'node:crypto'
import { groupBy } from '#servers/protocol/group-by'

/** Hosts accept 64 characters in total and prepend the name of our server. */
const maxLength = { alone: 64, withServer: 46 }
const separator = '__'
const hashLength = 6
/** Characters of a server's name that a long name keeps; the rest is for the tool's own name. */
const minServerLength = 4

export interface Owned {
  server: string
  name: string
}

export interface NamingOptions {
  withServer: boolean
  /** Names that must not be used. */
  reserved?: readonly string[]
  /** First owner of each name: a name does not move to another owner while the process runs. */
  claims?: Map<string, string> | undefined
}

/**
 * Gives every name of every server a unique name that all clients accept: `server__name` in
 * `[a-zA-Z0-9_-]`, beginning with a letter. Names that are too long or not unique end with a hash
 * of their owner, so that they do not depend on the order. Long ones are cut in the server's part.
 */
export function exposeNames(
  all: readonly Owned[],
  options: NamingOptions,
): (owned: Owned) => string {
  const { withServer, reserved = [], claims } = options
  const candidates = all.map((owned) => ({ owned, text: exposedName(owned, withServer) }))
  const rivalsOf = groupBy(candidates, ({ text }) => text)
  const names = new Map<string, string>()
  const used = new Set<string>()
  for (const { owned, text } of candidates) {
    const raw = withServer ? `${owned.server}${separator}${owned.name}` : owned.name
    const rivals = rivalsOf.get(text)?.length ?? 0
    const isFirstRaw = raw === text && !used.has(text)
    const owner = claims?.get(text)
    const isTheirs = owner === undefined || owner === keyOf(owned)
    const isFree = (rivals < 2 || isFirstRaw) && isTheirs && !reserved.includes(text)
    if (isFree) claims?.set(text, keyOf(owned))
    const name = isFree ? text : hashed(owned, withServer)
    names.set(keyOf(owned), name)
    used.add(name)
  }
  return (owned) => names.get(keyOf(owned)) ?? exposedName(owned, withServer)
}

/** Replaces characters that some clients reject. */
function plainlyNamed(raw: string): string {
  const safe = raw.replace(/[^a-zA-Z0-9_-]+/g, '_')
  return /^[a-zA-Z]/.test(safe) ? safe : `t_${safe}`
}

/** The name of an owner if no other one has it. */
export function exposedName(owned: Owned, withServer: boolean): string {
  const raw = withServer ? `${owned.server}${separator}${owned.name}` : owned.name
  const begun = plainlyNamed(raw)
  const most = withServer ? maxLength.withServer : maxLength.alone
  return begun.length <= most ? begun : hashed(owned, withServer)
}

/** True if a prefixed name can belong to this server, whatever its tools are. */
export function mayBeOf(server: string, exposed: string): boolean {
  const begin = plainlyNamed(`${server}${separator}`)
  const cutAt = exposed.indexOf(separator, Math.min(minServerLength, begin.length))
  const isCut = cutAt >= 0 && exposed.length === maxLength.withServer
  return exposed.startsWith(begin) || (isCut && begin.startsWith(exposed.slice(0, cutAt)))
}

function hashed(owned: Owned, withServer: boolean): string {
  const hash = createHash('sha256').update(keyOf(owned)).digest('hex').slice(0, hashLength)
  const most = maxLength.withServer - hashLength - 1
  const prefix = withServer ? plainlyNamed(owned.server + separator) : ''
  const server = prefix.slice(0, -separator.length)
  const tool = plainlyNamed(prefix + owned.name).slice(server.length)
  const stem = server.slice(0, Math.max(minServerLength, most - tool.length))
  return `${(stem + tool).slice(0, most)}_${hash}`
}

const keyOf = ({ server, name }: Owned): string => `${server}\0${name}`
