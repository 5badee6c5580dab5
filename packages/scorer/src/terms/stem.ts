import { stemmer } from 'stemmer'
import { defined } from '../defined.ts'

/**
 * Words that Porter's rules would conflate with others of another meaning, such as `news` with
 * `new`: a stem and its forms on each line.
 */
const own = `
news
organization organizations organisation organisations organizational
organic
general generally
generic generics
university universities
universe universes
community communities
communication communications
important importance
animal animals
anime animes
animation animations animated
international internationally
internal internally
position positions positioned positioning
positive
experiment experiments experimental
author authors
authority authorities
opera operas
paste pasted pastes pasting
physics
physical physically
physician physicians
engineer engineers engineering
business businesses
customer customers
computer computers
convert conversion conversions
conversation conversations conversational
several
probability probabilities
secretary secretaries
numerical numeric
media
ratio ratios
iteration iterations
corporation corporations corporate
`

const known = new Map(
  own
    .trim()
    .split('\n')
    .flatMap((line) => {
      const forms = line.split(' ')
      return forms.map((form) => [form, defined(forms[0])] as const)
    }),
)

/** The English stem of a word in lower case; other words are unchanged. */
export function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  return known.get(word) ?? stemmer(word.replace(/(?<=.{4})ships?$/, ''))
}
