import { isTest } from '../access/roots.ts'
import { isDefined, maxImpact } from './document.ts'
import { nameOf, termsOfName, wordsOf } from './words.ts'

/**
 * The files of a batch with a term: the difference of each to the one before, the first to `base`,
 * times 256, plus the byte of `documentOf`.
 */
export interface Postings {
  base: number
  values: readonly number[]
}

/** The files of an index, and those with the terms of a query. */
export interface DescribedFiles {
  count: number
  /** The highest number of a file. */
  last: number
  postings: ReadonlyMap<string, readonly Postings[]>
  /** The path of a file, unless it is no longer as it was. */
  path(file: number): string | undefined
  /** Number of files with the term in the name of the file. */
  named(term: string): number
}

export interface RankedFiles {
  /** Best first. */
  files: readonly { file: number; score: number }[]
  /** The weight of each term of the query in these files, which is 0 if it is in none. */
  weights: ReadonlyMap<string, number>
}

/** What a file gets if the query covers its name, relative to its score, and to the highest one. */
const nameBonus = 2.2
const nameShare = 0.2
/** A word that only begins like one of the name. */
const prefixShare = 0.8
/** How much more a shared name counts less: most files of a library may be `…Utils`. */
const nameRarity = 1.5
/** What a file that defines the only name of the query gets, relative to the weight of the name. */
const definitionBonus = 6
/** What a test or an example gets of its score. */
const asideShare = 0.4
/** Files whose names are looked at. */
const maxCandidates = 200

/** The terms whose postings a query needs. */
export const termsOfQuery = (query: string): readonly string[] => [
  ...new Set(wordsOf(query).flatMap(termsOfName)),
]

/** The files that a query describes. */
export function rankFiles(query: string, files: DescribedFiles, maxResults: number): RankedFiles {
  const weights = new Map<string, number>()
  const scores = new Float32Array(files.last + 1)
  const candidates: number[] = []
  const only = /\s/.test(query.trim()) ? undefined : termsOfName(wordsOf(query).at(-1) ?? '')[0]
  let total = 0
  for (const term of termsOfQuery(query)) {
    const postings = files.postings.get(term) ?? []
    const count = postings.reduce((sum, { values }) => sum + values.length, 0)
    const weight = count === 0 ? 0 : rarity(Math.min(count, files.count), files.count)
    weights.set(term, weight)
    total += weight
    for (const { base, values } of postings) {
      let file = base
      for (const value of values) {
        file += value >>> 8
        if (scores[file] === 0) candidates.push(file)
        const bonus = term === only && value & isDefined ? definitionBonus : 0
        scores[file] = (scores[file] as number) + weight * ((value & maxImpact) / maxImpact + bonus)
      }
    }
  }
  const present = candidates.filter((file) => files.path(file) !== undefined)
  const ranked = bestOf(present, scores).map((file) => {
    const path = files.path(file) as string
    const covered = coverage(nameOf(path), weights, files) ** 2
    const score = (scores[file] as number) * (1 + nameBonus * covered) + nameShare * covered * total
    return { file, score: isAside(path) ? score * asideShare : score }
  })
  ranked.sort((a, b) => b.score - a.score || a.file - b.file)
  return { files: ranked.slice(0, maxResults), weights }
}

/** The files with the highest scores, in linear time: by how many of {@link steps} each has. */
function bestOf(candidates: readonly number[], scores: Float32Array): readonly number[] {
  let most = 0
  for (const file of candidates) most = Math.max(most, scores[file] as number)
  const stepOf = (file: number): number => Math.round(((scores[file] as number) / most) * steps)
  const counts = new Uint32Array(steps + 1)
  for (const file of candidates) (counts[stepOf(file)] as number)++
  let least = steps
  for (let sum = counts[least] as number; sum < maxCandidates && least > 0; least--)
    sum += counts[least - 1] as number
  const better = candidates.filter((file) => stepOf(file) > least)
  const same = candidates.filter((file) => stepOf(file) === least)
  return [...better, ...same].slice(0, maxCandidates)
}

const steps = 1_000

/** The share of the name of a file that is in the query. */
function coverage(
  name: readonly string[],
  weights: ReadonlyMap<string, number>,
  files: DescribedFiles,
): number {
  const begins = [...weights.keys()]
  let all = 0
  let covered = 0
  for (const term of name) {
    const weight = rarity(files.named(term), files.count) ** nameRarity
    all += weight
    if (weights.has(term)) covered += weight
    else if (begins.some((word) => beginsLike(word, term))) covered += weight * prefixShare
  }
  return all === 0 ? 0 : covered / all
}

const beginsLike = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) > 2 && (a.startsWith(b) || b.startsWith(a))

const isAside = (path: string): boolean =>
  isTest(path) || /(?:^|\/)(?:_?examples?|test_suite|bench(?:es|marks?)?)\//.test(path)

const rarity = (count: number, all: number): number =>
  Math.log(1 + (all - count + 0.5) / (count + 0.5))
