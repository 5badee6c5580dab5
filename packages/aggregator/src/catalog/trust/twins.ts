import { latinOfLookalike } from '#scan/lookalikes'
import { packageOf } from '#servers/config/package-of'
import type { ServerConfig } from '#servers/config/server-config'
import { plainName } from '#servers/protocol/plain-name'
import { qualifiedName } from '#servers/protocol/server-account'
import type { CatalogEntry } from '../entries/catalog-entry.ts'

/** What a server listed, in the order of the configuration. */
export interface Listed {
  unit: ServerConfig
  entry: CatalogEntry
}

interface Named {
  unit: ServerConfig
  name: string
  words: readonly string[]
  description: string
}

/** Share of the words of two descriptions that both have. */
const minSimilarity = 0.6

/**
 * Finds the tool that another tool is a twin of: it has the name of a tool of another origin, or that
 * name with one word more such as `v2`, and says nearly the same. Of two with one name, the later
 * server of the configuration has the twin.
 */
export function createTwinFinder(listed: readonly Listed[]) {
  const byWords = new Map<string, Named[]>()
  const order = new Map<string, number>()
  for (const [index, { unit, entry }] of listed.entries()) {
    order.set(unit.name, order.get(unit.name) ?? index)
    for (const { name, description } of entry.tools) {
      const words = wordsOf(String(name))
      const key = words.join(' ')
      const named = { unit, name: String(name), words, description: String(description ?? '') }
      byWords.set(key, [...(byWords.get(key) ?? []), named])
    }
  }
  const indexOf = (unit: ServerConfig): number => order.get(unit.name) ?? listed.length
  return ({ unit, name, description }: Omit<Named, 'words'>): string | undefined => {
    const words = wordsOf(name)
    const isOriginal = (other: Named): boolean =>
      packageOf(other.unit) !== packageOf(unit) &&
      (other.words.length < words.length || indexOf(other.unit) < indexOf(unit)) &&
      similarity(other.description, description) >= minSimilarity
    const keys = [words, ...words.map((_, skipped) => words.filter((_, at) => at !== skipped))]
    const original = keys
      .flatMap((key) => (key.length > 0 ? (byWords.get(key.join(' ')) ?? []) : []))
      .find(isOriginal)
    return original && `${qualifiedName(original.unit)}.${original.name}`
  }
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu)
    ?.filter((word) => word !== 'v') ?? []

function similarity(a: string, b: string): number {
  const [ofA, ofB] = [a, b].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))) as [
    Set<string>,
    Set<string>,
  ]
  const both = [...ofA].filter((word) => ofB.has(word)).length
  return both / Math.max(ofA.size + ofB.size - both, 1)
}

/** The server with a tool that a name imitates in other letters. */
export function imitatedIn(tool: string, unit: ServerConfig, listed: readonly Listed[]) {
  const others = listed.filter((offer) => offer.unit.name !== unit.name)
  const latin = plainName(
    [...tool.normalize('NFKC')]
      .map((sign) => latinOfLookalike.get(sign.toLowerCase()) ?? sign)
      .join(''),
  )
  if (latin === plainName(tool)) return undefined
  const original = others.find(({ entry }) =>
    entry.tools.some(({ name }) => plainName(String(name)) === latin),
  )
  return original && qualifiedName(original.unit)
}

/** True if a tool's name begins with the name of another server and a separator. */
export function imitatesServer(tool: string, servers: readonly ServerConfig[]): boolean {
  const folded = tool.normalize('NFKC').trim()
  const ends = [...folded.matchAll(/__|[./:]/g)].map(({ index }) => index)
  const begins = ends.map((end) => plainName(folded.slice(0, end))).filter(Boolean)
  return begins.length > 0 && servers.some(({ name }) => begins.includes(plainName(name)))
}
