import { type Ranked, termsOf } from '@pith-mcp/scorer'
import { letters } from '#base/letters'
import type { Candidate } from '../search-index/search-index.ts'
import { pageShare } from './page-share.ts'

/** Words before the name in a title. */
const keywords =
  /^(?:(?:abstract|async|attribute|class|classmethod|const|constant|coroutine|def|enum|event|exception|field|final|fn|func|function|interface|macro|method|module|namespace|new|option|package|property|public|static|staticmethod|struct|template|trait|type|typedef|union)\s+)+/i
/** A query that is one name, possibly with dashes before it and brackets after it. */
const oneName = /^["'`]?(-{0,2}[\p{L}_$][\p{L}\p{M}\p{N}_$.:\-/]{1,100})(?:\(\))?["'`]?$/u
/** What is asked about a name: `default of NAME`, `what does NAME mean`. */
const aboutNames =
  /(?<![\p{L}\p{N}_-])(?:what|is|the|does|of|for|defaults?|values?|meaning|means?|do)(?![\p{L}\p{N}_-])|\?/giu
/** Share of the best score of all that a section has at least which the name as written names. */
const writtenShare = 1.3
/** The same, for one that it names in another case or with other separators. */
const spelledShare = 1.2
/** The same, for one whose last part it names, as `limit` does `Query.limit`. */
const memberShare = 1.1
/** The same, for the best section of a page that it names. */
const pageNameShare = 1.35
/** The same, if it names the page but for one word before, as `graft` does `tool-graft`. */
const pageEndShare = 1.25
/** Factor of a section without the option that is asked for: it may have its word. */
const unsignedShare = 0.5
/** Factor for a title that begins with the name, or has all words of the query in other forms. */
const titleFactor = 1.15

interface NamedSection extends Pick<Candidate, 'heading' | 'id'> {
  /** Those of its text. */
  terms: () => readonly string[]
}

/** The one name of a query, without what is asked about it; empty without one. */
const nameOf = (query: string): string =>
  oneName.exec(query.replace(aboutNames, ' ').trim())?.[1] ?? ''

/**
 * How sections are named by a query of one name: by their id or by the whole of their title but for
 * keywords, parameters and what is in brackets, `written` so or `spelled` in another case or with other
 * separators; by the last part of their title, as a `member`; or their title only `begins` with it.
 */
export function namedBy(
  query: string,
): (
  section: Pick<NamedSection, 'heading' | 'id'>,
) => 'written' | 'spelled' | 'member' | 'begins' | undefined {
  const name = nameOf(query)
  const spelled = letters(name)
  const isOption = name.startsWith('-')
  return ({ heading, id }) => {
    if (name === '') return undefined
    const { names, isWhole } = namesIn(heading)
    const options = names.filter((each) => each.startsWith('-'))
    // The id of an option lacks the dashes before its name.
    const ids = options.length > 0 === isOption ? [id] : []
    const whole = isWhole ? names : []
    const forms = [...(isOption ? options : whole), ...ids]
    if (forms.includes(name)) return 'written'
    if (forms.some((form) => letters(form) === spelled)) return 'spelled'
    if (isOption) return undefined
    if (whole.some((each) => each.split(/\.|::|#|->/).at(-1) === name)) return 'member'
    return letters(names[0] ?? '') === spelled ? 'begins' : undefined
  }
}

/**
 * Changes scores for a query of one name: sections that it names come first. Titles with the words of
 * other queries, in any order, win ties. `top` is the best score.
 */
export function scoreByName(
  query: string,
  top: number,
): (section: NamedSection, score: number) => number {
  const name = nameOf(query)
  const words = wordsOf(query)
  const [signed = ''] = name.startsWith('-') ? termsOf(name) : []
  const shares = { written: writtenShare, spelled: spelledShare, member: memberShare }
  const named = namedBy(query)
  return (section, score) => {
    if (name === '') return wordsOf(section.heading) === words ? score * titleFactor : score
    const match = named(section)
    // Of several such sections, the score decides.
    if (match !== undefined && match !== 'begins') return top * shares[match] + score / 100
    if (match === 'begins') return score * titleFactor
    return signed === '' || section.terms().includes(signed) ? score : score * unsignedShare
  }
}

/** The words of a text but for their endings and order. */
export const wordsOf = (text: string): string => [...new Set(termsOf(text))].sort().join(' ')

/** Raises the best section of each page that a query names; `ranked` is sorted before and after. */
export function raiseNamedPages(
  query: string,
  ranked: Pick<Ranked<Candidate>, 'item' | 'score'>[],
  top: number,
): void {
  const name = query.trim().replace(/(?<=\S)\(\)$/, '')
  for (const [url, hit] of new Map(ranked.toReversed().map((hit) => [hit.item.url, hit]))) {
    const names = [nameOfFile(url), titleOf(hit.item.pageTitle.slice(0, 300))]
    if (pageShare(url) === 1 && names.some((pageName) => joined(pageName) === joined(name)))
      hit.score = top * pageNameShare + hit.score / 100
    else if (names.some((pageName) => oneWordBefore.exec(pageName)?.[1] === name))
      hit.score = Math.max(hit.score, top * pageEndShare + hit.score / 100)
  }
  ranked.sort((a, b) => b.score - a.score)
}

/** A name without its separators, but with its signs: `C++` is not `C`, and `--soft` not `soft`. */
const joined = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/(?<=[\p{L}\p{N}])[\s\-_./:]+(?=[\p{L}\p{N}])/gu, '')

/** A name of two words, of which the second may be asked for. */
const oneWordBefore = /^[\p{L}\p{N}]{1,30}[-_.](\p{L}[\p{L}\p{N}_]{1,60})$/u

/** The last part of a URL that is not `index`, without its ending. */
const nameOfFile = (url: string): string =>
  url
    .replace(/[?#].*$/s, '')
    .split('/')
    .map((part) => part.replace(/\.\w{1,5}$/, ''))
    .findLast((name) => !/^(?:index|readme)?$/i.test(name)) ?? ''

/** A title without its number and what follows the name: `3.5. Window Functions — Manual`. */
const titleOf = (title: string): string =>
  title.replace(/^[\d.]+\s/, '').split(/[([{<|]|:\s|\s[-–—]\s/, 1)[0] ?? ''

/** The first name of a title or those of an option, and whether the title says nothing else. */
function namesIn(heading: string): { names: string[]; isWhole: boolean } {
  const title = heading
    .slice(0, 300)
    .replace(/[`*\\]/g, '')
    .replace(keywords, '')
    .trim()
  const options = title.split(/[,|]\s*/).map((form) => form.trim().split(/[\s=[<({:]/, 1)[0] ?? '')
  if (title.startsWith('-')) return { names: options, isWhole: true }
  const [before = ''] = title.split(/[([{<=,;]|:\s|\s[-–—]\s/, 1)
  const words = before.trim().split(/\s+/)
  // A signature may begin with the type of its result.
  const isSignature = /^[^(]*[^\s(]\(/.test(title) && words.length <= maxSignatureWords
  const first = (isSignature ? words.at(-1) : words[0]) ?? ''
  return { names: [first], isWhole: isSignature || words.length === 1 }
}

const maxSignatureWords = 4
