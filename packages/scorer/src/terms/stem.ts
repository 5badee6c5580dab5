import { stemmer } from 'stemmer'
import { defined } from '../defined.ts'

/**
 * Words that Porter's rules would conflate with others of another meaning, such as `news` with
 * `new`: a stem and its forms on each line.
 */
const exceptions = `
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

/** Forms that no rule of endings finds: a stem and its forms on each line. */
const irregular = `
index indices
matrix matrices
vertex vertices
appendix appendices
vortex vortices
suffix suffices
axis axes
analysi analyses
crisi crises
hypothesi hypotheses
parenthesi parentheses
thesi theses
synopsi synopses
diagnosi diagnoses
ellipsi ellipses
criterion criteria
phenomenon phenomena
schema schemata
datum data
child children
man men
woman women
foot feet
tooth teeth
mouse mice
half halves
knife knives
shelf shelves
person people
build built
rebuild rebuilt
write wrote written
rewrit rewrote rewritten
overwrit overwrote overwritten
overrid overrode overridden
hide hidden hid
choos chose chosen
break broke broken
begin began begun
bind bound
throw threw thrown
keep kept
hold held
lose lost
run ran
spend spent
stand stood
draw drew drawn
drive drove driven
freez froze frozen
fall fell fallen
grow grew grown
forget forgot forgotten
steal stole stolen
withdraw withdrew withdrawn
catch caught
bring brought
buy bought
sell sold
teach taught
speak spoke spoken
`

const stemByForm = new Map(
  `${exceptions.trim()}\n${irregular.trim()}`.split('\n').flatMap((line) => {
    const forms = line.split(' ')
    return forms.map((form) => [form, defined(forms[0])] as const)
  }),
)

/** The English stem of a word in lower case; other words are unchanged. */
export function stemOf(word: string): string {
  const stem = stemByForm.get(word)
  if (stem !== undefined || !/^[a-z]{4,}$/.test(word)) return stem ?? word
  return stemmer(word.replace(/(?<=.{4})ships?$/, ''))
}
