import { maxQueryLength, type Query, readQuery, tellingTerms } from './read-query.ts'
import { actions } from './synonyms/actions.ts'
import { termsOf } from './terms-of.ts'

/** Verbs at the start of a request, in addition to those with synonyms. */
const verbs: ReadonlySet<string> = new Set(
  termsOf(
    `${actions} analyze arrange ask assess assign assist call classify collect contact control count
    decode decrypt define determine disable draw email enable encode encrypt enter evaluate explain
    explore gather give help hire identify inform investigate know learn listen locate log manage
    measure message navigate obtain optimize order organize parse perform plan plot predict print
    provide query rate read recommend reject rent reserve resolve review schedule sign simulate study
    suggest take tell track train turn upload visit vote watch`,
  ),
)

const sentences = /[.;!?。、；！？]+(?:\s|$)|\n+/
const joints =
  /,\s+|\s+(?=(?:and then|and|then|after that|afterwards|finally|also|plus|as well as)\s)/i
/** Words before the verb of a part. */
const opening =
  /^(?:(?:and|then|also|next|after that|afterwards|finally|lastly|additionally|furthermore|moreover|first|firstly|second|secondly|plus|to|please)\b|[,\s])+/i
const asks =
  /^(?:what|how|who|when|where|which|why|is|are|do|does|can|could|would|will|help|let|i need|i want|i would|i'd|we need|we want|we would|i'm looking|i am looking)\b/i
/** A further object of the previous verb: `find the routes and the average price of gas`. */
const another =
  /^(?:and|plus|also|as well as) (?:also )?(?:the|a|an|all|any|their|its|my|his|her)\b/i
/** A statement about the user without a request: `I'm planning a party for my friend.` */
const background =
  /^(?:(?:and|but|so) )?(?:I'm|I’m|I|I've|I’ve|we're|we’re|we|my|our|this|that|it)\b/i
const wants =
  /\?|\b(?:needs?|wants?|please|like to|looking for|find|get|know|trying|hoping|interested|curious)\b/i

const maxParts = 10

/**
 * The parts of a request for several things: `create a branch and open a pull request`. A part
 * begins with a verb, a question or another object; other text is a detail of the previous part.
 * Sentences without a request are dropped.
 */
export function partsOf(query: string): Query[] {
  const clauses: string[] = []
  for (const sentence of query
    .slice(0, maxQueryLength)
    .replace(/[^\S\n]+/g, ' ')
    .split(sentences))
    for (const clause of sentence.split(joints).map((text) => text.trim())) {
      if (clause === '') continue
      const last = clauses.length - 1
      if (last < 0 || beginsPart(clause)) clauses.push(clause)
      else clauses[last] += `, ${clause}`
    }
  const parts = clauses
    .filter((text) => !background.test(text) || wants.test(text))
    .map(readRequest)
    .filter((part) => tellingTerms(part) > 1)
  return parts.length > 1 ? parts.slice(0, maxParts) : []
}

const readRequest = (text: string): Query => readQuery(text, 'request')

function beginsPart(clause: string): boolean {
  const rest = clause.replace(opening, '')
  const [first = ''] = termsOf(rest.slice(0, 60))
  const begins = verbs.has(first) || asks.test(rest) || another.test(clause)
  return begins && tellingTerms(readRequest(clause)) > 1
}
