import { letters } from '#base/letters'
import type { Candidate } from '../search-index/search-index.ts'

/** Words before the name in a title. */
const keywords =
  /^(?:(?:abstract|async|attribute|class|classmethod|const|constant|coroutine|def|enum|event|exception|field|final|fn|func|function|interface|macro|method|module|namespace|new|option|package|property|public|static|staticmethod|struct|template|trait|type|typedef|union)\s+)+/i
/** A query that is one name, possibly with dashes before it and brackets after it. */
const oneName = /^["'`]?(-{0,2}[\p{L}_$][\p{L}\p{M}\p{N}_$.:\-/]{1,100})(?:\(\))?["'`]?$/u
/** Share of the best score of all that a section has at least which the name as written names. */
const writtenShare = 1.3
/** The same, for one that it names in another case or with other separators. */
const spelledShare = 1.2
/** Factor for a title that begins with the name and goes on in words. */
const firstWordFactor = 1.15

/**
 * Changes scores for a query of one name: sections that it names come first, by their id or by the
 * whole of their title but for keywords, parameters and what is in brackets. `top` is the best score.
 */
export function scoreByName(
  query: string,
  top: number,
): (item: Candidate, score: number) => number {
  const [, name = ''] = oneName.exec(query.trim()) ?? []
  if (name === '') return (_, score) => score
  const spelled = letters(name)
  return (item, score) => {
    const { first, isWhole } = nameIn(item.heading)
    const forms = isWhole ? [first, item.id] : [item.id]
    // Of several such sections, the score decides.
    if (forms.includes(name)) return top * writtenShare + score / 100
    if (forms.some((form) => letters(form) === spelled)) return top * spelledShare + score / 100
    return letters(first) === spelled ? score * firstWordFactor : score
  }
}

/** The first name of a title, and whether the title says nothing else. */
function nameIn(heading: string): { first: string; isWhole: boolean } {
  const title = heading
    .slice(0, 300)
    .replace(/[`*\\]/g, '')
    .replace(keywords, '')
    .trim()
  const [before = ''] = title.split(/[([{<=,;]|:\s|\s[-–—]\s/, 1)
  const words = before.trim().split(/\s+/)
  // A signature may begin with the type of its result.
  const isSignature = /^[^(]*[^\s(]\(/.test(title) && words.length <= maxSignatureWords
  const first = (isSignature ? words.at(-1) : words[0]) ?? ''
  return { first, isWhole: isSignature || words.length === 1 }
}

const maxSignatureWords = 4
