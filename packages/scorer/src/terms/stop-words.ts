import { termsOf } from './terms-of.ts'

const terms = (words: string): ReadonlySet<string> => new Set(termsOf(words))

/** Words of a question that say nothing about its subject. */
export const stopTerms: ReadonlySet<string> = terms(
  `a about also am an and any are as at be been being but by can could did do does doing done
  each either for from had has have having he her here hers him his how i if in into is it its
  just let lets ll me might mine must my no nor not of off on one or our ours s shall she should so
  some such t than that the their theirs them then there these they this those to too up us ve via
  was we were what when where whether which while who whom whose why will with within without would
  you your yours`,
)

/** Words that ask, not words that are asked about; they count, but little. */
export const fillerTerms: ReadonlySet<string> = terms(
  `able actually again all allow already always another around available based because before
  both certain correctly currently detail detailed details different directly during easily enable
  enough ensure etc every exactly example existing following full fully given gives goes going good
  happen help hi hello kind know like likely look looking main make makes making many may maybe
  mean more most much need needed needs new now number okay only other particular perform please
  possible properly provide provided quickly really relevant required same say see several simple
  simply something specific specifically specified still sure take tell thank thanks thing things
  think time today tool try trying type use used useful user uses using very want wanted wants way
  well work working works yes`,
)
