import type { ServerConfig } from '#servers/config/server-config'
import type { JsonObject } from '#servers/protocol/message'
import { qualifiedName } from '#servers/protocol/server-account'
import type { CatalogEntry } from '../entries/catalog-entry.ts'
import { isOffered } from '../policy/tool-rules.ts'
import { approveDefinitions } from './approve.ts'
import { sourceOfUnit } from './current-pins.ts'
import { createMarks, type Mark, type Marks } from './marks.ts'
import type { PinnedServer, PinStore } from './pin.ts'
import type { Held, Reviewing } from './review-tools.ts'
import type { Listed } from './twins.ts'

interface UnreviewedOptions extends Pick<Reviewing, 'asks' | 'scan' | 'listed' | 'pins' | 'now'> {
  store: PinStore
  isPinned(unit: ServerConfig): boolean
  reserved: readonly string[]
  review(unit: ServerConfig, entry: CatalogEntry): ReadonlyMap<string, Held>
}

/** What waits of a server, without the tools that its rules exclude. */
export const waitingIn = (pinned: PinnedServer, unit: ServerConfig): string[] =>
  isPinOf(pinned, unit) ? keysIn(pinned, unit) : []

/** Whether stored pins count for a server: it is pinned, and is started as it was then. */
export const isPinOf = ({ source }: Pick<PinnedServer, 'source'>, unit: ServerConfig): boolean =>
  unit.isPinned !== false && source === sourceOfUnit(unit)

const keysIn = ({ waiting }: Pick<PinnedServer, 'waiting'>, unit: ServerConfig): string[] =>
  Object.entries(waiting).flatMap(([key, { definition }]) => {
    const isTool = definition['name'] === key && !key.endsWith('#content')
    return isTool && !isOffered(key, definition, unit) ? [] : [key]
  })

/** Tools that run and that no one has reviewed, with what a reviewer reads first. */
export function createUnreviewed({
  store,
  scan,
  asks,
  listed,
  pins,
  now,
  ...more
}: UnreviewedOptions) {
  const { reserved, isPinned, review } = more
  let known: { current: readonly Listed[]; marksOf: Marks } | undefined
  const marksNow = (): Marks => {
    const current = listed()
    const isSame =
      known?.current.length === current.length &&
      known.current.every(({ entry }, index) => entry === current[index]?.entry)
    if (!known || !isSame) known = { current, marksOf: createMarks(current, new Set(reserved)) }
    return known.marksOf
  }
  const pinsOf = (unit: ServerConfig): PinnedServer['pins'] => {
    const pinned = pins.read(qualifiedName(unit), sourceOfUnit(unit))
    return pinned === 'unreadable' ? {} : pinned.pins
  }

  const marksOf = (unit: ServerConfig, definition: JsonObject): Mark[] =>
    scan ? marksNow()(unit, definition) : []

  return {
    /** What a reviewer of a tool reads first. */
    marksOf,
    /**
     * What waits for a review, by its key in the pins: all that was listed to any client. Every count
     * of it is this one.
     */
    waiting(unit: ServerConfig, entry: CatalogEntry | undefined): string[] {
      const pinned = isPinned(unit) ? pins.read(qualifiedName(unit), sourceOfUnit(unit)) : undefined
      if (pinned === undefined || pinned === 'unreadable')
        return entry ? [...review(unit, entry).keys()] : []
      // What a client just listed is pinned, or waits, from here on.
      if (entry) review(unit, entry)
      return keysIn(pinned, unit)
    },
    /** The tools of a server that run without a review. */
    notReviewed(unit: ServerConfig, entry: CatalogEntry): JsonObject[] {
      if (!isPinned(unit)) return []
      const held = review(unit, entry)
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
      const [mark] = marksOf(unit, definition)
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
  }
}
