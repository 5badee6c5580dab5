import { isDefined, maxImpact } from './document.ts'
import { eachPosting } from './postings.ts'
import { nameOf, termsOfName, wordsOf } from './words.ts'

/** The words of many files, as an index has them. */
export interface DescribedFiles {
  /** Number of files, which are numbered from 0. */
  count: number
  /** The packed postings of a term. */
  postings(term: string): Uint8Array | undefined
  path(file: number): string
  /** Number of files with the term in the name of the file. */
  named(term: string): number
}

export interface RankedFile {
  file: number
  score: number
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
const testShare = 0.4
/** Files whose names are looked at. */
const maxCandidates = 200

/** The terms of a query, each with its weight in these files, which is 0 if it is in none. */
export function weigh(query: string, files: DescribedFiles): Map<string, number> {
  const terms = new Set(wordsOf(query).flatMap(termsOfName))
  return new Map(
    [...terms].map((term) => {
      let count = 0
      eachPosting(files.postings(term), () => count++)
      return [term, count === 0 ? 0 : rarity(count, files.count)]
    }),
  )
}

/** The files that a query describes, best first. */
export function rankFiles(query: string, files: DescribedFiles, maxResults: number): RankedFile[] {
  const weights = weigh(query, files)
  const scores = new Float32Array(files.count)
  const candidates: number[] = []
  const only = /\s/.test(query.trim()) ? undefined : termsOfName(wordsOf(query).at(-1) ?? '')[0]
  let total = 0
  for (const [term, weight] of weights) {
    total += weight
    eachPosting(files.postings(term), (file, byte) => {
      if (scores[file] === 0) candidates.push(file)
      const bonus = term === only && byte & isDefined ? definitionBonus : 0
      scores[file] = (scores[file] as number) + weight * ((byte & maxImpact) / maxImpact + bonus)
    })
  }
  return bestOf(candidates, scores)
    .map((file) => {
      const path = files.path(file)
      const covered = coverage(nameOf(path), weights, files) ** 2
      const score =
        (scores[file] as number) * (1 + nameBonus * covered) + nameShare * covered * total
      return { file, score: isTest(path) ? score * testShare : score }
    })
    .sort((a, b) => b.score - a.score || a.file - b.file)
    .slice(0, maxResults)
}

/** The files with the highest scores. */
function bestOf(candidates: readonly number[], scores: Float32Array): readonly number[] {
  if (candidates.length <= maxCandidates) return candidates
  const sorted = Float32Array.from(candidates, (file) => scores[file] as number).sort()
  const least = sorted[sorted.length - maxCandidates] as number
  return candidates.filter((file) => (scores[file] as number) >= least)
}

/** The share of the name of a file that is in the query. */
function coverage(
  name: readonly string[],
  weights: ReadonlyMap<string, number>,
  files: DescribedFiles,
): number {
  let all = 0
  let covered = 0
  for (const term of name) {
    const weight = rarity(files.named(term), files.count) ** nameRarity
    all += weight
    if (weights.has(term)) covered += weight
    else if ([...weights.keys()].some((word) => beginsLike(word, term)))
      covered += weight * prefixShare
  }
  return all === 0 ? 0 : covered / all
}

const beginsLike = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) > 2 && (a.startsWith(b) || b.startsWith(a))

const rarity = (count: number, all: number): number =>
  Math.log(1 + (all - count + 0.5) / (count + 0.5))

const isTest = (path: string): boolean =>
  /(?:^|\/)(?:__tests__|tests?|testing|testdata|test_suite|specs?|_?examples?|bench(?:marks?)?)\/|(?:^|[/_.-])(?:tests?|spec)[_.-][^/]*$/i.test(
    path,
  ) || /[a-z]Tests?\.\w+$/.test(path)
