import { createHash } from 'node:crypto'
import type { ServerConfig } from '../../config/server-config.ts'
import type { Fields } from '../../protocol/message.ts'
import { plainName } from '../../protocol/plain-name.ts'
import { safeName } from '../../protocol/safe-name.ts'
import { unitName } from '../../protocol/unit.ts'
import type { CatalogEntry } from '../entries/catalog-entry.ts'
import { findingsIn, findingsInText } from './findings.ts'
import {
  createMemoryPinStore,
  hashOf,
  type PinnedServer,
  type PinStore,
  pinnedPart,
} from './pin.ts'

/** A tool that is not shown and not called until it is approved. */
interface Held {
  /** Why, and how it is approved; without words of the server. */
  said: string
}

/** A definition as it is now; without a hash where nothing is pinned. */
interface Seen {
  definition: Fields
  hash: string
  reasons: string[]
}

/** What servers say of their tools is compared with what they said first, and looked through. */
export interface Trust {
  /** The tools that are held, by the names the server gives them. First sight pins the others. */
  review(unit: ServerConfig, entry: CatalogEntry): ReadonlyMap<string, Held>
  /** Whether anything is looked at. */
  isOn(unit: ServerConfig): boolean
  /** Look at all again: other servers, or other settings of them. */
  forget(): void
  /** A prompt, or another definition that is not pinned. */
  isSuspicious(definition: Fields): boolean
  /** Instructions of a server, if they can be shown. */
  instructionsOf(entry: CatalogEntry): string | undefined
  /** Whether another process has changed pins since the last review. */
  isOutdated(): boolean
}

export interface TrustOptions {
  store: PinStore
  /** Compare with what was seen first. Default true. */
  pin?: boolean
  /** Look for hidden characters and instructions. Default true. */
  scan?: boolean
  servers: () => readonly ServerConfig[]
  /** Told once of each tool that is held, and of each that is let go. */
  onHeld?: (unit: string, tool: string, reasons: string) => void
  onLog?: (text: string) => void
  now?: () => number
}

/** Until what another process approved is heeded. */
const lookEveryMs = 20

const nothing: ReadonlyMap<string, Held> = new Map()

export function createTrust(options: TrustOptions): Trust {
  const {
    store,
    pin = true,
    scan = true,
    servers,
    onHeld = () => {},
    onLog = () => {},
    now = Date.now,
  } = options
  const hashes = new WeakMap<Fields, string>()
  const findings = new WeakMap<Fields, string[]>()
  let reviews = new WeakMap<CatalogEntry, Map<string, Held>>()
  let version = store.version()
  const told = new Set<string>()
  const unkept = createMemoryPinStore()
  let isTold = false
  let lookAt = 0

  function reviewTools(unit: ServerConfig, entry: CatalogEntry): Map<string, Held> {
    const isPinned = pin && unit.isPinned !== false
    const source = sourceOfUnit(unit)
    const name = unitName(unit)
    const pinned = isPinned ? readOrHold(name, source) : undefined
    const others = servers().filter((server) => server.name !== unit.name)
    const held = new Map<string, Held>()
    const seen = new Map<string, Seen>()
    for (const definition of entry.tools) {
      const tool = definition['name']
      if (typeof tool !== 'string' || seen.has(tool)) continue
      const hash = isPinned ? once(hashes, definition, hashOf) : ''
      const found = scan ? once(findings, definition, findingsIn) : []
      const reasons = reasonsFor(tool, { hash, found }, pinned, others)
      seen.set(tool, { definition, hash, reasons })
      if (reasons.length === 0) continue
      held.set(tool, heldFor(reasons))
      const key = `${name}\0${tool}\0${reasons}`
      if (!told.has(key)) onHeld(name, safeName(tool), reasons.join('; '))
      told.add(key)
    }
    if (pinned !== undefined && pinned !== 'unreadable') keep(name, source, pinned, seen)
    return held
  }

  function readOrHold(name: string, source: string): PinnedServer | 'unreadable' {
    try {
      const kept = store.read(name, source)
      const here = unkept.read(name, source)
      return {
        ...kept,
        pins: Object.assign(Object.create(null), here.pins, kept.pins),
        waiting: Object.assign(Object.create(null), here.waiting, kept.waiting),
      }
    } catch {
      return 'unreadable'
    }
  }

  /** Pin what is new, and note what waits. Nothing is written when nothing is new. */
  function keep(
    name: string,
    source: string,
    before: PinnedServer,
    seen: ReadonlyMap<string, Seen>,
  ): void {
    const isNews = [...seen].some(([tool, { hash, reasons }]) =>
      reasons.length > 0
        ? before.waiting[tool]?.hash !== hash
        : before.pins[tool] === undefined || before.waiting[tool] !== undefined,
    )
    if (!isNews) return
    const note = ({ pins, waiting }: PinnedServer): void => {
      for (const [tool, { definition, hash, reasons }] of seen) {
        const part = pinnedPart(definition)
        if (reasons.length > 0) waiting[tool] = { hash, definition: part, reasons, seenAt: now() }
        else {
          delete waiting[tool]
          pins[tool] ??= { hash, definition: part, pinnedAt: now() }
        }
      }
    }
    try {
      const before = store.version()
      store.change(name, source, note)
      // What is written here was heeded already; what others wrote meanwhile was not.
      if (before === version && store.version() === before + 1) version = before + 1
    } catch (error) {
      if (!isTold)
        onLog(
          `pins cannot be kept (${(error as Error).message}); this process knows them, and no other.`,
        )
      isTold = true
      unkept.change(name, source, note)
    }
  }

  return {
    review(unit, entry) {
      if (!scan && !pin) return nothing
      let held = reviews.get(entry)
      if (held === undefined) {
        held = reviewTools(unit, entry)
        reviews.set(entry, held)
      }
      return held
    },
    isOn: (unit) => scan || (pin && unit.isPinned !== false),
    forget() {
      reviews = new WeakMap()
    },
    isSuspicious: (definition) => scan && findingsIn(definition).length > 0,
    instructionsOf: ({ instructions }) =>
      instructions !== undefined && scan && findingsInText(instructions).length > 0
        ? undefined
        : instructions,
    isOutdated() {
      // Asked several times at each request.
      const time = performance.now()
      if (time < lookAt) return false
      lookAt = time + lookEveryMs
      const latest = store.version()
      if (latest === version) return false
      version = latest
      reviews = new WeakMap()
      return true
    },
  }
}

function reasonsFor(
  tool: string,
  { hash, found }: { hash: string; found: readonly string[] },
  pinned: PinnedServer | 'unreadable' | undefined,
  others: readonly ServerConfig[],
): string[] {
  if (pinned === 'unreadable') return ['the file of pins of its server cannot be read']
  const pin = pinned?.pins[tool]
  // What was looked at and approved is not held for what was seen in it.
  if (pin?.isApproved && pin.hash === hash) return []
  const reasons: string[] = []
  if (pin && pin.hash !== hash) reasons.push('changed since it was pinned')
  const shadowed = shadowedBy(tool, others)
  if (shadowed !== undefined) reasons.push('its name passes for one of another module')
  return [...reasons, ...found]
}

/** What is made of a definition, which does not change. */
function once<T>(made: WeakMap<Fields, T>, definition: Fields, make: (of: Fields) => T): T {
  const known = made.get(definition)
  if (known !== undefined) return known
  const value = make(definition)
  made.set(definition, value)
  return value
}

/** A model may have a shell: what it reads here is no command that approves. */
const heldFor = (reasons: readonly string[]): Held => ({
  said: `held: ${reasons.join('; ')}. It is not called until its owner has looked at it and approved it; aggregator-mcp pin shows it to them`,
})

/** Pins belong to a program or an address, whatever its secrets are. */
function sourceOfUnit(unit: ServerConfig): string {
  const parts =
    unit.type === 'stdio' ? [unit.command, unit.args.map(withoutVersion)] : [unit.type, unit.url]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/** A newer version of a package is the same server, whose tools are compared. */
const withoutVersion = (argument: string): string =>
  argument.replace(/^(@?[\w./-]+)@[\w.^~*-]+$/, '$1')

const separators = ['__', '.', '/', ':']

/**
 * The other server a tool passes itself off as: its name begins with that of the server and what
 * stands between the names of servers and tools.
 */
function shadowedBy(tool: string, others: readonly ServerConfig[]): string | undefined {
  const folded = tool.normalize('NFKC').trim()
  for (const separator of separators) {
    const at = folded.indexOf(separator)
    if (at <= 0) continue
    const before = plainName(folded.slice(0, at))
    const other = others.find(({ name }) => plainName(name) === before)
    if (other !== undefined && before !== '') return other.name
  }
  return undefined
}
