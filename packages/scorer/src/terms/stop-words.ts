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

/** Words of the question itself rather than its subject; they have a low weight. */
export const fillerTerms: ReadonlySet<string> = terms(
  `able actually again all already always another around based because before both certain
  correctly directly during easily enable enough ensure etc every exactly following fully give gives
  goes going good happen hello help hi however know kind like likely make makes making many may maybe
  mean more much need needed needs okay only other particular perform please possible possibly
  properly provide provided quickly really relevant required same say several simple simply something
  specific specifically specified still sure take tell thank thanks thing things think today try
  trying use used useful using very want wanted wants way well would yes`,
)

/**
 * Words of nearly every request that may also name the function of a tool: `find`, `information`.
 */
export const commonTerms: ReadonlySet<string> = terms(
  `access additional additionally advice assist assistance available based basic best check
  comprehensive current currently data detail detailed discover discuss discussion explain explore
  fetch find following gather get guidance guide idea include including info information insight
  interested know learn list look necessary offer overview query recommend recommendation regarding
  related retrieve return share show specific suggest suggestion tip top understand various`,
)
