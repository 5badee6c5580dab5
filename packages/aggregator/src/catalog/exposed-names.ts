import { createHash } from 'node:crypto'

/** Hosts take 64 characters in all, and put the name of our server before a name. */
const longest = { alone: 64, withServer: 46 }
const separator = '__'
const hashLength = 6

export interface Owned {
  server: string
  name: string
}

/** Names as clients may see them, and whose they are. */
export interface ExposedNames {
  /** In the order they were given. */
  of(owned: Owned): string
  ownerOf(exposed: string): Owned | undefined
}

export interface NamingOptions {
  withServer: boolean
  /** Names that nothing may have. */
  reserved?: readonly string[]
  /** Whose a name was first: it does not become that of another while this process runs. */
  claims?: Map<string, string> | undefined
}

/**
 * Give every name of every server a name of its own that all clients take: `server__name` in
 * `[a-zA-Z0-9_-]`, beginning with a letter. What is too long, or would be another's name, ends with
 * a hash of what it stands for, so that it does not depend on the others' order.
 */
export function exposeNames(all: readonly Owned[], options: NamingOptions): ExposedNames {
  const { withServer, reserved = [], claims } = options
  const wanted = new Map<string, Owned[]>()
  const plain = all.map((owned) => ({ owned, text: exposedName(owned, withServer) }))
  for (const { owned, text } of plain) wanted.set(text, [...(wanted.get(text) ?? []), owned])
  const names = new Map<string, string>()
  const owners = new Map<string, Owned>()
  for (const { owned, text } of plain) {
    const raw = withServer ? `${owned.server}${separator}${owned.name}` : owned.name
    const rivals = wanted.get(text)?.length ?? 0
    const isFirstRaw = raw === text && !owners.has(text)
    const owner = claims?.get(text)
    const isTheirs = owner === undefined || owner === keyOf(owned)
    const isFree = (rivals < 2 || isFirstRaw) && isTheirs && !reserved.includes(text)
    if (isFree) claims?.set(text, keyOf(owned))
    const name = isFree ? text : hashed(text, owned)
    names.set(keyOf(owned), name)
    owners.set(name, owned)
  }
  return {
    of: (owned) => names.get(keyOf(owned)) ?? exposedName(owned, withServer),
    ownerOf: (exposed) => owners.get(exposed),
  }
}

/** In signs that all clients take. */
function plainlyNamed(raw: string): string {
  const safe = raw.replace(/[^a-zA-Z0-9_-]+/g, '_')
  return /^[a-zA-Z]/.test(safe) ? safe : `t_${safe}`
}

/** The name that something has if nothing else has it. */
export function exposedName(owned: Owned, withServer: boolean): string {
  const raw = withServer ? `${owned.server}${separator}${owned.name}` : owned.name
  const begun = plainlyNamed(raw)
  const most = withServer ? longest.withServer : longest.alone
  return begun.length <= most ? begun : hashed(begun, owned)
}

/** Whether a name with its server before it can be one of a certain server's, whatever that offers. */
export function mayBeOf(server: string, exposed: string): boolean {
  const begin = plainlyNamed(`${server}${separator}`)
  // Of a long name what stands before the hash is left.
  const kept = begin.slice(0, longest.withServer - hashLength - 1)
  return (
    exposed.startsWith(begin) ||
    (exposed.length >= kept.length && begin !== kept && exposed.startsWith(kept))
  )
}

function hashed(text: string, owned: Owned): string {
  const hash = createHash('sha256').update(keyOf(owned)).digest('hex').slice(0, hashLength)
  return `${text.slice(0, longest.withServer - hashLength - 1)}_${hash}`
}

const keyOf = ({ server, name }: Owned): string => `${server}\0${name}`
