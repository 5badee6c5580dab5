import { foldWords } from './fold.ts'

/** A beginning of a word, or of several; `isWhole` if no letter may follow. */
interface Stem {
  text: string
  isWhole: boolean
  meaning: number
}

/** Of the meanings in each slot, one must be found; all slots within a number of words. */
interface Rule {
  finding: string
  slots: readonly (readonly number[])[]
  window: number
  /** So many of the slots are enough. */
  least: number
  /** A meaning next to which the rule does not count. */
  unless: number
}

/** A meaning that `second` has so many words after `first`. */
interface Phrase {
  first: number
  meaning: number
  window: number
}

interface Dictionary {
  stems: readonly (readonly Stem[] | undefined)[]
  rules: readonly (readonly Rule[])[]
  phrases: readonly (readonly Phrase[])[]
  doubts: ReadonlySet<number>
}

/** A word that a sentence ends with counts as this many, but not as more than the sentence has. */
const sentenceEnd = 5
/** Words between what a rule has found and what makes it void. */
const doubtWindow = 10

type Lines = Readonly<Record<string, string>>
type Rules = Readonly<Record<string, readonly string[]>>

/** A function that adds what rules find in a text. */
export function signsOf(
  words: Lines,
  phrases: Rules,
  rules: Rules,
): (text: string, findings: Set<string>) => void {
  const meanings = [...new Set([...Object.keys(words), ...Object.keys(phrases)])]
  const dictionary = {
    stems: [] as Stem[][],
    rules: meanings.map((): Rule[] => []),
    phrases: meanings.map((): Phrase[] => []),
    doubts: new Set<number>(),
  }
  for (const [name, lines] of Object.entries(words))
    for (const word of new Set(foldWords(lines).split(/\s+/))) {
      if (word === '' || /^(?:[a-z]{2}:|\|)$/.test(word)) continue
      const stem = stemOf(word, indexOf(meanings, name))
      const { text, isWhole } = stem
      const end = isWhole ? 0x20 : 0
      const second = text.length > 1 ? letterAt(text, 1) : end
      const third =
        text.length > 2 && second !== 0x20 ? letterAt(text, 2) : second === 0x20 ? 0x20 : end
      const hash = hashOf(text.charCodeAt(0), second, third)
      dictionary.stems[hash] = [...(dictionary.stems[hash] ?? []), stem]
    }
  for (const [name, lines] of Object.entries(phrases))
    for (const line of lines) {
      const [, first = '', second = '', window = ''] = /^(\w+) > (\w+) \/ (\d+)$/.exec(line) ?? []
      const phrase = {
        first: indexOf(meanings, first),
        meaning: indexOf(meanings, name),
        window: Number(window),
      }
      dictionary.phrases[indexOf(meanings, second)]?.push(phrase)
    }
  for (const [finding, lines] of Object.entries(rules))
    for (const line of lines) {
      const [names = '', window = '', least] = line.split(' / ')
      const [all = '', unless] = names.split(' !')
      const slots = all
        .split(' ')
        .map((slot) => slot.split('|').map((word) => indexOf(meanings, word)))
      for (const meaning of new Set(slots.flat()))
        dictionary.rules[meaning]?.push({
          finding,
          slots,
          window: Number(window),
          least: Number(least ?? slots.length),
          unless: unless === undefined ? -1 : indexOf(meanings, unless),
        })
      if (unless !== undefined) dictionary.doubts.add(indexOf(meanings, unless))
    }
  return (text, findings) => scan(text, findings, dictionary)
}

function stemOf(word: string, meaning: number): Stem {
  const isWhole = word.length > 1 && word.endsWith('.')
  const text = (isWhole ? word.slice(0, -1) : word)
    .replace(/[^\p{L}\p{N}\p{M}@]+/gu, ' ')
    .trimStart()
  return { text, isWhole, meaning }
}

function indexOf(meanings: readonly string[], name: string): number {
  const at = meanings.indexOf(name)
  if (at < 0) throw new Error(`no words for ${name}`)
  return at
}

/** Stems that begin with the same three letters, or are as short as two in scripts of long alphabets. */
const hashOf = (first: number, second: number, third: number): number =>
  (first * 961 + second * 31 + third) & 0x3fff
const letterAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return at < text.length && isWord(code) ? code : 0x20
}

const isWord = (code: number): boolean =>
  code < 0x80
    ? (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
    : code >= 0xc0 && !(code >= 0x2000 && code < 0x2c00) && !isSign(code)
const isSign = (code: number): boolean =>
  (code >= 0x3000 && code <= 0x3020) ||
  (code >= 0xd800 && code < 0xe000) ||
  code === 0x30fb ||
  code === 0x60c ||
  code === 0x61b ||
  code === 0x61f ||
  code === 0x6d4 ||
  code === 0x964
/** Chinese and Japanese: no blanks between words. */
const isDense = (code: number): boolean => code >= 0x3040 && code <= 0x9fff
/** Arabic and Hebrew write articles, prepositions and conjunctions in front of a word, as a part of it. */
const hasPrefixes = (code: number): boolean => code >= 0x590 && code <= 0x6ff
const maxPrefix = 3
const longWord = 20
const ends = new Set([...'.!?;:\u3002\u061B\u061F\u06D4\u0964'].map((sign) => sign.charCodeAt(0)))

/** What the word `@` stands for: an address of a mailbox or of a page. */
const address = hashOf(0x40, 0, 0)

function scan(
  text: string,
  findings: Set<string>,
  { stems, rules, phrases, doubts }: Dictionary,
): void {
  const last = new Float64Array(rules.length).fill(-1e9)
  const doubtful: { rule: Rule; position: number }[] = []
  const step = /[^\0-\x7f]/.test(text) ? 0.75 : 1
  let position = 0
  let words = 0
  let start = -1
  let isGlued = false
  const look = (at: number) => {
    const first = text.charCodeAt(at)
    const second = letterAt(text, at + 1)
    lookFor(hashOf(first, second, second === 0x20 ? 0x20 : letterAt(text, at + 2)), at)
    if (first < 0x80) return
    lookFor(hashOf(first, second, 0), at)
    lookFor(hashOf(first, 0, 0), at)
  }
  const lookFor = (hash: number, at: number) => {
    const some = stems[hash]
    if (some === undefined) return
    for (const stem of some)
      if (hash === address || isAt(stem, text, at, isGlued)) hit(stem.meaning)
  }
  const hit = (meaning: number) => {
    last[meaning] = position
    while (doubts.has(meaning) && (doubtful.at(-1)?.position ?? -1e9) >= position - doubtWindow)
      doubtful.pop()
    for (const rule of rules[meaning] ?? []) {
      if (findings.has(rule.finding) || !isMet(rule, last, position)) continue
      if (rule.unless < 0) findings.add(rule.finding)
      else if ((last[rule.unless] ?? 0) < position - doubtWindow) doubtful.push({ rule, position })
    }
    for (const { first, meaning: both, window } of phrases[meaning] ?? []) {
      const before = last[first] ?? 0
      if (before < position && before >= position - window) hit(both)
    }
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (!isWord(code)) {
      if (code === 0x40 || (code === 0x3a && text.startsWith('://', at))) lookFor(address, at)
      else if (code === 0x2c) position++
      else if (ends.has(code) && (code >= 0x3000 || !isWord(text.charCodeAt(at + 1) || 0))) {
        position += Math.min(words, sentenceEnd) * step
        words = 0
      }
      start = -1
    } else if (isDense(code)) {
      isGlued = false
      position += 0.4 * step
      words += 0.4
      look(at)
      start = -1
    } else if (start < 0) {
      start = at
      position += step
      words++
      isGlued = isLong(text, at)
      look(at)
    } else if (isGlued) {
      position += 0.2
      look(at)
    } else if (hasPrefixes(code) && at - start <= maxPrefix) look(at)
  }
  for (const { rule } of doubtful) findings.add(rule.finding)
}

/** Words that were written without blanks look like one. */
function isLong(text: string, start: number): boolean {
  for (let at = start; at < start + longWord; at++)
    if (at >= text.length || !isWord(text.charCodeAt(at))) return false
  return true
}

/** A blank of a stem stands for everything between two words. */
function isAt(
  { text: stem, isWhole }: Stem,
  text: string,
  start: number,
  isGlued: boolean,
): boolean {
  let at = start
  for (let index = 0; index < stem.length; index++) {
    const code = stem.charCodeAt(index)
    if (code !== 0x20) {
      if (text.charCodeAt(at++) !== code) return false
    } else {
      if (at < text.length && isWord(text.charCodeAt(at))) return false
      while (at < text.length && !isWord(text.charCodeAt(at))) at++
    }
  }
  return !isWhole || isGlued || at >= text.length || !isWord(text.charCodeAt(at))
}

function isMet({ slots, window, least }: Rule, last: Float64Array, position: number): boolean {
  let missing = slots.length - least
  for (const slot of slots)
    if (latestOf(slot, last) < position - window && --missing < 0) return false
  const used = new Set<number>()
  for (const slot of slots) {
    const free = slot
      .map((meaning) => last[meaning] ?? 0)
      .find((at) => at >= position - window && !used.has(at))
    if (free !== undefined) used.add(free)
  }
  return used.size >= least
}

function latestOf(slot: readonly number[], last: Float64Array): number {
  let latest = -1e9
  for (const meaning of slot) latest = Math.max(latest, last[meaning] ?? 0)
  return latest
}
