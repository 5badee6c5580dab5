import { hiddenIn } from '#scan/hidden'
import type { ServerConfig } from '#servers/config/server-config'
import { oncePer } from '#servers/protocol/once-per'
import { defaultRemedies, type Remedies } from '#servers/protocol/remedies'
import { qualifiedName, safeName } from '#servers/protocol/server-account'
import type { CatalogEntry } from '../entries/catalog-entry.ts'
import { CurrentPins } from './current-pins.ts'
import type { NewTools } from './new-tools.ts'
import { hashOf, type PinStore } from './pin.ts'
import { reviewContent } from './review-content.ts'
import {
  createHeldReport,
  type Held,
  heldFor,
  instructionsKey,
  reviewTools,
} from './review-tools.ts'
import type { Listed } from './twins.ts'
import { createUnreviewed } from './unreviewed.ts'

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
  listed?: () => readonly Listed[]
  /** Names of the aggregator's own tools. */
  reserved?: readonly string[]
  remedies?: Partial<Remedies> | undefined
  /** Called once for each held tool, with all that are held for the same reasons. */
  onHeld?: (unit: string, tools: readonly string[], reasons: string) => void
  onLog?: (text: string) => void
  now?: () => number
}

/** The path of what holds a tool, or asks about one that was never reviewed. */
export const trustSetting = 'aggregator.trust'

const nothing: ReadonlyMap<string, Held> = new Map()

export function createTrust(options: TrustOptions) {
  const {
    store,
    pin = true,
    newTools = 'allow',
    scan = true,
    asks = false,
    listed = () => [],
    reserved = [],
    onLog = () => {},
    now = Date.now,
  } = options
  const { approveTool } = { ...defaultRemedies, ...options.remedies }
  let reviews = new WeakMap<CatalogEntry, Map<string, Held>>()
  let isStale = false
  const pins = new CurrentPins(store, { onLog, now })
  const isPinned = (unit: ServerConfig): boolean => pin && unit.isPinned !== false
  const deps = {
    ...{ pin, asks, scan, newTools, listed, now, pins, approveTool, onLog },
    servers: options.servers,
    hashFor: oncePer(hashOf),
    findingsFor: oncePer(hiddenIn),
    textsFor: oncePer(({ instructions }: CatalogEntry) => ({ description: instructions })),
    report: createHeldReport(options.onHeld ?? (() => {})),
  }

  function review(unit: ServerConfig, entry: CatalogEntry): ReadonlyMap<string, Held> {
    if (!scan && !pin) return nothing
    const reviewed = reviews.get(entry) ?? reviewTools(unit, entry, deps)
    reviews.set(entry, reviewed)
    return reviewed
  }

  return {
    asks,
    ...createUnreviewed({ ...deps, store, reserved, isPinned, review }),
    /**
     * What is held of a server: tools by name, skills and resources by URI, `prompt:NAME`, and
     * `server:instructions`. New tools and skills are pinned, or held.
     */
    review,
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
      const { why, remedy } = heldFor(reasons, approveTool(name, safeName(tool)))
      return `${why}. ${remedy.replace(/\.$/, '')}`
    },
    /** True if definitions are pinned or scanned. */
    isOn: (unit: ServerConfig) => scan || isPinned(unit),
    /** Drops cached reviews, after a change of servers or settings. */
    forget() {
      reviews = new WeakMap()
    },
    /** A server's instructions, unless they are held. */
    instructionsOf(unit: ServerConfig, entry: CatalogEntry): string | undefined {
      return review(unit, entry).has(instructionsKey) ? undefined : entry.instructions
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
