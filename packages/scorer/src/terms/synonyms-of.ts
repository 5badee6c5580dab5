import { actions } from './synonyms/actions.ts'
import { sameWords } from './synonyms/same-words.ts'
import { things } from './synonyms/things.ts'
import { topics } from './synonyms/topics.ts'
import { termsOf } from './terms-of.ts'

/** Weight of a synonym, by table. The first table with both words applies. */
const tables = [
  { table: sameWords, weight: 0.9 },
  { table: actions, weight: 0.6 },
  { table: things, weight: 0.5 },
]
const topicWeight = 0.5

const synonyms = new Map<string, Map<string, number>>()

for (const { table, weight } of tables)
  for (const words of groupsOf(table))
    for (const word of words) for (const synonym of words) relate(word, synonym, weight)
for (const [topic = '', ...words] of groupsOf(topics))
  for (const word of words) relate(word, topic, topicWeight)

function groupsOf(table: string): string[][] {
  return table.split(';').map((group) => termsOf(group.replace(':', ' ')))
}

function relate(word: string, synonym: string, weight: number): void {
  if (word === synonym) return
  const weights = synonyms.get(word) ?? new Map<string, number>()
  synonyms.set(word, weights)
  if (!weights.has(synonym)) weights.set(synonym, weight)
}

const none: ReadonlyMap<string, number> = new Map()

/** Terms that may be meant by this one, without itself, and their weights. */
export const synonymsOf = (term: string): ReadonlyMap<string, number> => synonyms.get(term) ?? none
