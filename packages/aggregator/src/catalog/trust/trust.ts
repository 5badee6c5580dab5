import { findingsIn, findingsInText } from '#scan/findings'
import type { ServerConfig } from '#servers/config/server-config'
import { groupBy } from '#servers/protocol/group-by'
import type { JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import { plainName } from '#servers/protocol/plain-name'
import { defaultRemedies, type Remedies } from '#servers/protocol/remedies'
import { qualifiedName, safeName } from '#servers/protocol/server-account'
import type { CatalogEntry } from '../entries/catalog-entry.ts'
import { isOffered } from '../policy/tool-rules.ts'
import { CurrentPins, type Seen, sourceOfUnit } from './current-pins.ts'
import { changeReasons, type NewTools, whyNew } from './new-tools.ts'
import { hashOf, type PinnedServer, type PinStore } from './pin.ts'
import { isAppHeld, reviewContent } from './review-content.ts'

/** A tool that is not listed and cannot be called until it is approved. */
interface Held {
  /** The reason and the remedy; contains no text of the server. */
  reason: string
}

/** Compares the definitions of tools and skills with their pins and scans them. */
export type Trust = ReturnType<typeof createTrust>

export interface TrustOptions {
  store: PinStore
  /** Compare with pinned definitions. Default true. */
  pin?: boolean | undefined
  /** Tools whose names have no pin. Default `allow`. */
  newTools?: NewTools
  /** Scan for hidden characters and instructions. Default true. */
  scan?: boolean | undefined
  servers: () => readonly ServerConfig[]
  remedies?: Partial<Remedies> | undefined
  /** Called once for each held tool, with all that are held for the same reasons. */
  onHeld?: (unit: string, tools: readonly string[], reasons: string) => void
  onLog?: (text: string) => void
  now?: () => number
}

const nothing: ReadonlyMap<string, Held> = new Map()

export function createTrust(options: TrustOptions) {
  const {
    store,
    pin = true,
    newTools = 'allow',
    scan = true,
    servers,
    onHeld = () => {},
    onLog = () => {},
    now = Date.now,
  } = options
  const { approveTool } = { ...defaultRemedies, ...options.remedies }
  const hashFor = oncePer(hashOf)
  const findingsFor = oncePer(findingsIn)
  let reviews = new WeakMap<CatalogEntry, Map<string, Held>>()
  let isStale = false
  const pins = new CurrentPins(store, { onLog, now })

  const deps = {
    pin,
    scan,
    newTools,
    servers,
    now,
    pins,
    hashFor,
    findingsFor,
    approveTool,
    report: createHeldReport(onHeld),
  }

  return {
    /** The held tools and skills, by their name or URI at the server. New ones are pinned, or held. */
    review(unit: ServerConfig, entry: CatalogEntry): ReadonlyMap<string, Held> {
      if (!scan && !pin) return nothing
      let review = reviews.get(entry)
      if (review === undefined) {
        review = reviewTools(unit, entry, deps)
        reviews.set(entry, review)
      }
      return review
    },
    /**
     * Compares the content of an app or of a file of a skill with its pin, which the first one gets.
     * Returns why it is held, if it is; the tools with this app are held then, too.
     */
    reviewContent(unit: ServerConfig, uri: string, contents: unknown): string | undefined {
      if (!pin || unit.isPinned === false) return undefined
      const reviewed = reviewContent(unit, { uri, contents }, { pins, newTools })
      if (reviewed === undefined) return undefined
      const { tool, reasons } = reviewed
      // Tools with this app are held, or free again.
      isStale = true
      if (reasons.length === 0) return undefined
      const name = qualifiedName(unit)
      deps.report(name, new Map([[tool, reasons]]))
      return heldFor(reasons, approveTool(name, safeName(tool))).reason
    },
    /** True if definitions are pinned or scanned. */
    isOn: (unit: ServerConfig) => scan || (pin && unit.isPinned !== false),
    /** Drops cached reviews, after a change of servers or settings. */
    forget() {
      reviews = new WeakMap()
    },
    /** Scans a prompt or another definition without a pin. */
    isSuspicious: (definition: JsonObject) => scan && findingsIn(definition).length > 0,
    /** A server's instructions, if they pass the scan. */
    instructionsOf: ({ instructions }: CatalogEntry) =>
      instructions !== undefined && scan && findingsInText(instructions).length > 0
        ? undefined
        : instructions,
    /** True once after pins have changed that reviews depend on, also by another process. */
    isOutdated() {
      if (!pins.haveChanged() && !isStale) return false
      isStale = false
      reviews = new WeakMap()
      return true
    },
  }
}

interface Reviewing
  extends Required<Pick<TrustOptions, 'pin' | 'scan' | 'newTools' | 'servers' | 'now'>> {
  pins: CurrentPins
  hashFor: (definition: JsonObject) => string
  findingsFor: (definition: JsonObject) => string[]
  approveTool: Remedies['approveTool']
  report: ReturnType<typeof createHeldReport>
}

/** The held tools and skills of a server; pins those that are not. */
function reviewTools(
  unit: ServerConfig,
  entry: CatalogEntry,
  { pin, scan, newTools, servers, now, pins, hashFor, findingsFor, ...deps }: Reviewing,
): Map<string, Held> {
  const isPinned = pin && unit.isPinned !== false
  const source = sourceOfUnit(unit)
  const name = qualifiedName(unit)
  const pinned = isPinned ? pins.read(name, source) : undefined
  const otherServers = servers().filter((server) => server.name !== unit.name)
  const isReadable = pinned !== undefined && pinned !== 'unreadable'
  const whyHeldAsNew = isReadable ? whyNew(pinned, newTools, now) : () => []
  const heldTools = new Map<string, Held>()
  const whyHeld = new Map<string, readonly string[]>()
  const tools = new Map<string, Seen>()
  const skills = new Set(entry.skills)
  for (const definition of [...entry.tools, ...entry.skills]) {
    const isSkill = skills.has(definition)
    const tool = isSkill ? definition['uri'] : definition['name']
    if (typeof tool !== 'string' || tools.has(tool)) continue
    // What no client can see or call needs no approval.
    if (!isSkill && !isOffered(tool, definition, unit)) continue
    const hash = isPinned ? hashFor(definition) : ''
    const findings = scan ? findingsFor(definition) : []
    const reasons = reasonsFor(tool, { hash, findings }, pinned, isSkill ? [] : otherServers)
    if (isReadable && isAppHeld(definition, pinned)) reasons.push(changeReasons.app)
    reasons.push(...whyHeldAsNew(tool, hash))
    tools.set(tool, { definition, hash, reasons })
    if (reasons.length === 0) continue
    heldTools.set(tool, heldFor(reasons, deps.approveTool(name, safeName(tool))))
    whyHeld.set(tool, reasons)
  }
  deps.report(name, whyHeld)
  if (isReadable) {
    for (const [tool, { reasons }] of tools)
      if (newTools === 'ignore' && !pinned.pins[tool] && reasons.length === 0) tools.delete(tool)
    pins.keep({ name, source }, pinned, tools)
  }
  return heldTools
}

/** Reports held tools once, those of a server with the same reasons together. */
function createHeldReport(onHeld: NonNullable<TrustOptions['onHeld']>) {
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

function reasonsFor(
  tool: string,
  { hash, findings }: { hash: string; findings: readonly string[] },
  pinned: PinnedServer | 'unreadable' | undefined,
  servers: readonly ServerConfig[],
): string[] {
  if (pinned === 'unreadable') return ['the pin file of its server cannot be read']
  const pin = pinned?.pins[tool]
  // An approved definition is not held for its findings.
  if (pin?.isApproved && pin.hash === hash) return []
  const reasons: string[] = []
  if (pin && pin.hash !== hash) reasons.push(changeReasons.definition)
  if (imitatesServer(tool, servers)) reasons.push('its name imitates a tool of another module')
  return [...reasons, ...findings]
}

/** Models read this and may have a shell: the remedy must not contain a command that approves. */
const heldFor = (reasons: readonly string[], remedy: string): Held => ({
  reason: `held: ${reasons.join('; ')}. ${remedy.replace(/\.$/, '')}`,
})

/** True if a tool imitates another server: its name begins with that server's and a separator. */
function imitatesServer(tool: string, servers: readonly ServerConfig[]): boolean {
  const folded = tool.normalize('NFKC').trim()
  const ends = [...folded.matchAll(/__|[./:]/g)].map(({ index }) => index)
  const begins = ends.map((end) => plainName(folded.slice(0, end))).filter(Boolean)
  return begins.length > 0 && servers.some(({ name }) => begins.includes(plainName(name)))
}
