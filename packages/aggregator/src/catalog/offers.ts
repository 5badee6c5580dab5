import type { ServerConfig } from '../config/server-config.ts'
import { exposeNames } from '../names/exposed-names.ts'
import { safeName } from '../names/safe-name.ts'
import { isAllowed, isSwitchedOff, shapeTool } from '../policy/tool-rules.ts'
import type { Fields } from '../upstream/connection.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import type { Known, ViewOptions } from './view.ts'

/** Something of one server, under the name it has for clients. */
export interface Offer {
  server: ServerConfig
  /** As it is called here. */
  name: string
  /** As the server calls it. */
  upstreamName: string
  exposed: string
  /** As the server gave it, but for the name and words its owner wants. */
  definition: Fields
  tags: readonly string[]
}

/** A tool that is there and cannot be called. What a server said of it is not passed on. */
export interface AbsentTool {
  server: ServerConfig
  /** In letters that can be shown. */
  name: string
  reason: 'disabled' | 'held' | 'name taken'
  /** Why, and how it comes back. */
  said: string
}

type Found = Omit<Offer, 'exposed'>

export function nameTools(
  known: readonly Known[],
  options: ViewOptions,
): { tools: Offer[]; absent: AbsentTool[] } {
  const absent: AbsentTool[] = []
  const found = known.flatMap((one) => {
    const names = new Set<string>()
    // What only another account offers is called with that one.
    return one.units.flatMap(({ unit, entry }) => toolsOf(unit, entry, names, absent, options))
  })
  return { tools: exposed(found, options.withServer, options.reserved), absent }
}

function toolsOf(
  unit: ServerConfig,
  entry: CatalogEntry,
  names: Set<string>,
  absent: AbsentTool[],
  { profile, trust }: ViewOptions,
): Found[] {
  const { rules = {} } = unit
  const review = trust.review(unit, entry)
  const leave = (name: string, reason: AbsentTool['reason'], said: string): Found[] => {
    absent.push({ server: unit, name: safeName(name), reason, said })
    return []
  }
  return entry.tools.flatMap((given): Found[] => {
    const { name } = given
    if (typeof name !== 'string' || name === '' || names.has(`\0${name}`)) return []
    names.add(`\0${name}`)
    const { name: called, definition, tags } = shapeTool(name, given, unit.rules)
    const both = [...new Set([called, name])]
    if (!isAllowed(both, given, rules) || !profile.admits(unit, both, given)) return []
    if (isSwitchedOff(name, unit.rules))
      return leave(
        called,
        'disabled',
        `switched off by "enabled": false under tools of ${unit.name} in the configuration`,
      )
    const held = review.get(name)
    if (held !== undefined) return leave(called, 'held', held.said)
    if (names.has(called))
      return leave(called, 'name taken', `${unit.name} has two tools of that name; rename one`)
    names.add(called)
    return [{ server: unit, name: called, upstreamName: name, definition, tags }]
  })
}

export function namePrompts(known: readonly Known[], options: ViewOptions): Offer[] {
  const found = known.flatMap(({ units: [first] }) => {
    if (first === undefined) return []
    const names = new Set<unknown>()
    return first.entry.prompts.flatMap((definition): Found[] => {
      const { name } = definition
      if (typeof name !== 'string' || name === '' || names.has(name)) return []
      if (options.trust.isSuspicious(first.unit, definition)) return []
      names.add(name)
      return [{ server: first.unit, name, upstreamName: name, definition, tags: [] }]
    })
  })
  return exposed(found, options.withServer, [])
}

function exposed(
  found: readonly Found[],
  withServer: boolean,
  reserved: readonly string[],
): Offer[] {
  const owned = found.map(({ server, name }) => ({ server: server.name, name }))
  const names = exposeNames(owned, withServer, reserved)
  return found.map((offer) => ({
    ...offer,
    exposed: names.of({ server: offer.server.name, name: offer.name }),
  }))
}
