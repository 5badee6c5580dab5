import { hiddenIn } from '#scan/hidden'
import type { ServerConfig } from '#servers/config/server-config'
import { groupBy } from '#servers/protocol/group-by'
import type { JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import { defaultRemedies, type Remedies } from '#servers/protocol/remedies'
import { qualifiedName, safeName } from '#servers/protocol/server-account'
import type { CatalogEntry } from '../entries/catalog-entry.ts'
import { isOffered } from '../policy/tool-rules.ts'
import { approveDefinitions } from './approve.ts'
import { CurrentPins, type Seen, sourceOfUnit } from './current-pins.ts'
import { createMarks, type Mark, type Marks } from './marks.ts'
import { changeReasons, type NewTools, whyNew } from './new-tools.ts'
import { hashOf, type PinnedServer, type PinStore } from './pin.ts'
import { isAppHeld, reviewContent } from './review-content.ts'
import { imitatedIn, imitatesServer, type Offer } from './twins.ts'

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
  /** Look for hidden text, and mark what a reviewer should read first. Default true. */
  scan?: boolean | undefined
  /** Ask a person before the first call of a marked tool that changes something, until it is reviewed. */
  asks?: boolean | undefined
  servers: () => readonly ServerConfig[]
  /** What all servers offer, as far as it is known. */
  offers?: () => readonly Offer[]
  /** Names of the aggregator's own tools. */
  reserved?: readonly string[]
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
    asks = false,
    servers,
    offers = () => [],
    reserved = [],
    onHeld = () => {},
    onLog = () => {},
    now = Date.now,
  } = options
  const { approveTool } = { ...defaultRemedies, ...options.remedies }
  const hashFor = oncePer(hashOf)
  const findingsFor = oncePer(hiddenIn)
  const textsFor = oncePer(({ instructions }: CatalogEntry) => ({ description: instructions }))
  let reviews = new WeakMap<CatalogEntry, Map<string, Held>>()
  let isStale = false
  const pins = new CurrentPins(store, { onLog, now })

  const deps = {
    pin,
    scan,
    newTools,
    servers,
    offers,
    now,
    pins,
    hashFor,
    findingsFor,
    textsFor,
    approveTool,
    onLog,
    report: createHeldReport(onHeld),
  }
  let known: { offered: readonly Offer[]; marksOf: Marks } | undefined
  const marksNow = (): Marks => {
    const offered = offers()
    const isSame =
      known?.offered.length === offered.length &&
      known.offered.every(({ entry }, index) => entry === offered[index]?.entry)
    if (!known || !isSame) known = { offered, marksOf: createMarks(offered, new Set(reserved)) }
    return known.marksOf
  }
  const pinsOf = (unit: ServerConfig): PinnedServer['pins'] => {
    const pinned = pins.read(qualifiedName(unit), sourceOfUnit(unit))
    return pinned === 'unreadable' ? {} : pinned.pins
  }
  const isPinned = (unit: ServerConfig): boolean => pin && unit.isPinned !== false

  return {
    /**
     * What is held of a server: tools by name, skills and resources by URI, `prompt:NAME`, and
     * `server:instructions`. New tools and skills are pinned, or held.
     */
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
      if (!isPinned(unit)) return undefined
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
    isOn: (unit: ServerConfig) => scan || isPinned(unit),
    /** Drops cached reviews, after a change of servers or settings. */
    forget() {
      reviews = new WeakMap()
      known = undefined
    },
    /** A server's instructions, unless they are held. */
    instructionsOf(unit: ServerConfig, entry: CatalogEntry): string | undefined {
      return this.review(unit, entry).has(instructionsKey) ? undefined : entry.instructions
    },
    /** What a reviewer of a tool reads first. */
    marksOf: (unit: ServerConfig, definition: JsonObject): Mark[] =>
      scan ? marksNow()(unit, definition) : [],
    /** The tools of a server that run without a review. */
    notReviewed(unit: ServerConfig, entry: CatalogEntry): JsonObject[] {
      if (!isPinned(unit)) return []
      const held = this.review(unit, entry)
      const pinned = pinsOf(unit)
      return entry.tools.filter((definition) => {
        const tool = String(definition['name'])
        const isApproved = pinned[tool]?.isApproved === true
        return !isApproved && !held.has(tool) && isOffered(tool, definition, unit)
      })
    },
    /** Why a person is asked before a tool is called that was never reviewed, if one is. */
    whyAsk(unit: ServerConfig, tool: string, definition: JsonObject): string | undefined {
      const { readOnlyHint } = Object(definition['annotations'])
      if (!asks || readOnlyHint === true || !isPinned(unit)) return undefined
      const [mark] = this.marksOf(unit, definition)
      if (mark === undefined || pinsOf(unit)[tool]?.isApproved === true) return undefined
      // A model reads this: no text of the server.
      const what = 'finding' in mark ? mark.finding : `a sentence of it ${mark.signs.join(', ')}`
      return `the tool was never reviewed, and ${what}`
    },
    /** A person has reviewed the tools of a server, or one of them: what is not held is approved. */
    reviewed(unit: ServerConfig, entry: CatalogEntry, only?: string): void {
      const all = this.notReviewed(unit, entry)
      const fresh = only === undefined ? all : all.filter(({ name }) => name === only)
      if (fresh.length > 0)
        store.change(qualifiedName(unit), sourceOfUnit(unit), (pinned) =>
          approveDefinitions(pinned, fresh, now()),
        )
    },
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
  extends Required<Pick<TrustOptions, 'pin' | 'scan' | 'newTools' | 'servers' | 'offers' | 'now'>> {
  pins: CurrentPins
  hashFor: (definition: JsonObject) => string
  findingsFor: (definition: JsonObject) => string[]
  textsFor: (entry: CatalogEntry) => JsonObject
  approveTool: Remedies['approveTool']
  onLog: (text: string) => void
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
  const others = { servers: servers().filter(({ name }) => name !== unit.name), ...deps, unit }
  const isReadable = pinned !== undefined && pinned !== 'unreadable'
  const whyHeldAsNew = isReadable ? whyNew(pinned, newTools, now) : () => []
  const isFirstSeen = isReadable && newTools === 'allow' && Object.keys(pinned.pins).length === 0
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
    const reasons = reasonsFor(tool, { hash, findings }, pinned, isSkill ? undefined : others)
    if (isReadable && isAppHeld(definition, pinned)) reasons.push(changeReasons.app)
    reasons.push(...whyHeldAsNew(tool, hash))
    tools.set(tool, { definition, hash, reasons })
    if (reasons.length === 0) continue
    heldTools.set(tool, heldFor(reasons, deps.approveTool(name, safeName(tool))))
    whyHeld.set(tool, reasons)
  }
  for (const [key, definition] of scan ? unpinnedIn(entry, deps) : []) {
    const findings = findingsFor(definition)
    const isWaiting = isReadable && pinned.waiting[key] !== undefined
    if (findings.length === 0 && !isWaiting) continue
    const hash = isPinned ? hashFor(definition) : ''
    const { hash: approved, isApproved } = (isReadable && pinned.pins[key]) || {}
    const reasons = isApproved && approved === hash ? [] : findings
    tools.set(key, { definition, hash, reasons })
    if (reasons.length === 0) continue
    heldTools.set(key, heldFor(reasons, deps.approveTool(name, safeName(key))))
    whyHeld.set(key, reasons)
  }
  deps.report(name, whyHeld)
  if (isReadable) {
    for (const [tool, { reasons }] of tools)
      if (newTools === 'ignore' && !pinned.pins[tool] && reasons.length === 0) tools.delete(tool)
    pins.keep({ name, source }, pinned, tools)
  }
  if (isFirstSeen && entry.tools.length > heldTools.size)
    deps.onLog(`${name} is not reviewed: its tools are pinned as they were first seen.`)
  return heldTools
}

const instructionsKey = 'server:instructions'
/** The key of a prompt among the tools of its server. */
export const promptKey = (name: string): string => `prompt:${name}`

/** What is held for hidden text only, by its key. */
function* unpinnedIn(
  entry: CatalogEntry,
  { textsFor }: Pick<Reviewing, 'textsFor'>,
): Generator<[key: string, definition: JsonObject]> {
  for (const item of entry.resources) yield [String(item['uri']), item]
  for (const item of entry.resourceTemplates) yield [String(item['uriTemplate']), item]
  for (const item of entry.prompts) yield [promptKey(String(item['name'])), item]
  if (entry.instructions !== undefined) yield [instructionsKey, textsFor(entry)]
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
  others: (Pick<Reviewing, 'offers'> & Imitating) | undefined,
): string[] {
  if (pinned === 'unreadable') return ['the pin file of its server cannot be read']
  const pin = pinned?.pins[tool]
  // An approved definition is not held for its findings.
  if (pin?.isApproved && pin.hash === hash) return []
  const reasons: string[] = []
  if (pin && pin.hash !== hash) reasons.push(changeReasons.definition)
  if (tool.length > maxNameLength || tool === '__proto__') reasons.push('an invalid name')
  const original = others && !isPlain.test(tool) && imitatedIn(tool, others.unit, others.offers())
  if (original) reasons.push(`its name is that of a tool of ${original}, in other letters`)
  if (others && imitatesServer(tool, others.servers))
    reasons.push('its name imitates a tool of another module')
  return [...reasons, ...findings]
}

interface Imitating {
  unit: ServerConfig
  servers: readonly ServerConfig[]
}
/** Characters. */
const maxNameLength = 200
const isPlain = /^[\0-\x7f]*$/

/** Models read this and may have a shell: the remedy must not contain a command that approves. */
const heldFor = (reasons: readonly string[], remedy: string): Held => ({
  reason: `held: ${reasons.join('; ')}. ${remedy.replace(/\.$/, '')}`,
})
