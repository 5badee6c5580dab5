import { reviewSentences } from '#scan/review-sentences'
import type { ServerConfig } from '#servers/config/server-config'
import type { JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import { createTwinFinder, type Listed } from './twins.ts'

/** Sentences of a definition that are marked. */
const maxSentences = 5

/** What a reviewer reads first about a tool. A mark holds nothing. */
export type Mark =
  /** In our words. */
  | { finding: string }
  /** In words of the server. */
  | { sentence: string; at: string; signs: readonly string[] }

/** The marks of tools, next to what other servers list. */
export type Marks = ReturnType<typeof createMarks>

const sentencesOf = oncePer((definition: JsonObject) =>
  reviewSentences(definition)
    .filter(({ isMarked }) => isMarked)
    .slice(0, maxSentences)
    .map(({ text, at, signs }) => ({ sentence: text, at, signs })),
)

/** True if a sentence of a definition is marked. */
export const isMarked = (definition: JsonObject): boolean => sentencesOf(definition).length > 0

export function createMarks(listed: readonly Listed[], reserved: ReadonlySet<string>) {
  const twinOf = createTwinFinder(listed)
  return (unit: ServerConfig, definition: JsonObject): Mark[] => {
    const name = String(definition['name'] ?? '')
    const description = String(definition['description'] ?? '')
    const twin = twinOf({ unit, name, description })
    const findings = [
      twin && `it is like ${twin}, of another origin`,
      reserved.has(name) && 'it has the name of a tool of the aggregator',
      mixedScripts.test(name) && 'its name has letters of several scripts',
    ]
    return [
      ...findings.flatMap((finding) => (finding ? [{ finding }] : [])),
      ...sentencesOf(definition),
    ]
  }
}

/** Greek or Cyrillic letters next to Latin ones. */
const mixedScripts = /[a-z]\w*[\u0370-\u03FF\u0400-\u04FF]|[\u0370-\u03FF\u0400-\u04FF]\w*[a-z]/iu
