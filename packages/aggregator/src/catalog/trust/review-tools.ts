import type { ServerConfig } from '#servers/config/server-config'
import { groupBy } from '#servers/protocol/group-by'
import type { JsonObject } from '#servers/protocol/message'
import type { Remedies } from '#servers/protocol/remedies'
import { qualifiedName, safeName } from '#servers/protocol/server-account'
import type { CatalogEntry } from '../entries/catalog-entry.ts'
import { isOffered } from '../policy/tool-rules.ts'
import { type CurrentPins, type Seen, sourceOfUnit } from './current-pins.ts'
import { changeReasons, type NewTools, unreadablePins, whyNew } from './new-tools.ts'
import type { PinnedServer } from './pin.ts'
import { isAppHeld } from './review-content.ts'
import { imitatedIn, imitatesServer, type Listed } from './twins.ts'

/** A tool that is not listed and cannot be called until it is approved. */
export interface Held {
  /** Contains no text of the server. */
  why: string
  remedy: string
}

/** What a review needs. */
export interface Reviewing {
  pin: boolean
  /** Servers are served: what no one has reviewed is said. */
  asks: boolean
  scan: boolean
  newTools: NewTools
  servers: () => readonly ServerConfig[]
  listed: () => readonly Listed[]
  now: () => number
  pins: CurrentPins
  hashFor: (definition: JsonObject) => string
  findingsFor: (definition: JsonObject) => string[]
  textsFor: (entry: CatalogEntry) => JsonObject
  approveTool: Remedies['approveTool']
  onLog: (text: string) => void
  report: ReturnType<typeof createHeldReport>
}

export const instructionsKey = 'server:instructions'
/** The key of a prompt among the tools of its server. */
export const promptKey = (name: string): string => `prompt:${name}`

interface Item {
  key: string
  definition: JsonObject
  /** `other`: held for hidden text only, and pinned only once that is approved. */
  kind: 'tool' | 'skill' | 'other'
}

/** What of a server is reviewed. What no client can see or call needs no approval. */
function* itemsIn(
  unit: ServerConfig,
  entry: CatalogEntry,
  { scan, textsFor }: Reviewing,
): Generator<Item> {
  for (const definition of entry.tools) {
    const { name } = definition
    if (typeof name === 'string' && isOffered(name, definition, unit))
      yield { key: name, definition, kind: 'tool' }
  }
  for (const definition of entry.skills)
    if (typeof definition['uri'] === 'string')
      yield { key: definition['uri'], definition, kind: 'skill' }
  if (!scan) return
  const kind = 'other'
  for (const item of entry.resources) yield { key: String(item['uri']), definition: item, kind }
  for (const item of entry.resourceTemplates)
    yield { key: String(item['uriTemplate']), definition: item, kind }
  for (const item of entry.prompts)
    yield { key: promptKey(String(item['name'])), definition: item, kind }
  if (entry.instructions !== undefined)
    yield { key: instructionsKey, definition: textsFor(entry), kind }
}

/** What is held of a server; pins its tools and skills that are not. */
export function reviewTools(
  unit: ServerConfig,
  entry: CatalogEntry,
  reviewing: Reviewing,
): Map<string, Held> {
  const { pin, asks, newTools, now, pins } = reviewing
  const source = sourceOfUnit(unit)
  const name = qualifiedName(unit)
  const pinned = pin && unit.isPinned !== false ? pins.read(name, source) : undefined
  const known = pinned === 'unreadable' ? undefined : pinned
  const isFirstSeen = asks && newTools === 'allow' && known && Object.keys(known.pins).length === 0
  const whyHeldAsNew = known ? whyNew(known, newTools, now) : () => []
  const heldTools = new Map<string, Held>()
  const whyHeld = new Map<string, readonly string[]>()
  const tools = new Map<string, Seen>()
  for (const item of itemsIn(unit, entry, reviewing)) {
    const { key, definition, kind } = item
    if (tools.has(key)) continue
    const hash = pinned ? reviewing.hashFor(definition) : ''
    const reasons = reasonsFor(item, hash, { unit, pinned, reviewing })
    if (kind !== 'other') {
      if (known && isAppHeld(definition, known)) reasons.push(changeReasons.app)
      reasons.push(...whyHeldAsNew(key, hash))
    } else if (reasons.length === 0 && known?.waiting[key] === undefined) continue
    tools.set(key, { definition, hash, reasons })
    if (reasons.length === 0) continue
    heldTools.set(key, heldFor(reasons, reviewing.approveTool(name, safeName(key))))
    whyHeld.set(key, reasons)
  }
  reviewing.report(name, whyHeld)
  if (known) keep(unit, tools, known, reviewing)
  if (isFirstSeen && entry.tools.length > heldTools.size)
    reviewing.onLog(`${name} is not reviewed: its tools are pinned as they were first seen.`)
  return heldTools
}

function keep(
  unit: ServerConfig,
  tools: Map<string, Seen>,
  pinned: PinnedServer,
  { newTools, pins }: Reviewing,
): void {
  for (const [tool, { reasons }] of tools)
    if (newTools === 'ignore' && !pinned.pins[tool] && reasons.length === 0) tools.delete(tool)
  pins.keep({ name: qualifiedName(unit), source: sourceOfUnit(unit) }, pinned, tools)
}

interface Judged {
  unit: ServerConfig
  pinned: PinnedServer | 'unreadable' | undefined
  reviewing: Reviewing
}

/** Characters. */
const maxNameLength = 200
const isPlain = /^[\0-\x7f]*$/

function reasonsFor(
  { key, definition, kind }: Item,
  hash: string,
  { unit, pinned, reviewing }: Judged,
): string[] {
  const { scan, servers, listed, findingsFor } = reviewing
  const findings = scan ? findingsFor(definition) : []
  const pin = pinned === 'unreadable' ? undefined : pinned?.pins[key]
  // An approved definition is not held for its findings.
  if (pin?.isApproved && pin.hash === hash) return []
  if (kind === 'other') return [...findings]
  if (pinned === 'unreadable') return [unreadablePins]
  const changes = pin && pin.hash !== hash ? [changeReasons.definition] : []
  if (kind === 'skill') return [...changes, ...findings]
  const original = isPlain.test(key) ? undefined : imitatedIn(key, unit, listed())
  const others = servers().filter(({ name }) => name !== unit.name)
  const names = [
    (key.length > maxNameLength || key === '__proto__') && 'an invalid name',
    original && `its name is that of a tool of ${original}, in other letters`,
    imitatesServer(key, others) && 'its name imitates a tool of another server',
  ]
  return [...changes, ...names.filter((reason) => typeof reason === 'string'), ...findings]
}

/** Reports held tools once, those of a server with the same reasons together. */
export function createHeldReport(
  onHeld: (unit: string, tools: readonly string[], reasons: string) => void,
) {
  const reported = new Set<string>()
  return (name: string, heldTools: ReadonlyMap<string, readonly string[]>): void => {
    const isNews = ([tool, reasons]: readonly [string, readonly string[]]): boolean => {
      const key = `${name}\0${tool}\0${reasons}`
      return !reported.has(key) && reported.add(key) !== undefined
    }
    const byReasons = groupBy([...heldTools].filter(isNews), ([, reasons]) => reasons.join('; '))
    for (const [reasons, tools] of byReasons)
      onHeld(
        name,
        tools.map(([tool]) => safeName(tool)),
        reasons,
      )
  }
}

/** Models read this and may have a shell: the remedy must not contain a command that approves. */
export const heldFor = (reasons: readonly string[], remedy: string): Held => ({
  why: `held: ${reasons.join('; ')}`,
  remedy,
})
