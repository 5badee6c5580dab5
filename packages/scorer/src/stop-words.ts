import { termsOf } from './terms-of.ts'

/** Words of a question that say nothing about its subject. */
export const stopTerms: ReadonlySet<string> = new Set(
  termsOf(
    `a about an and are as at be by can could did do does for from get has have how i if in into is it
    its me my of on or our should so than that the their them then there these they this to use using
    was we what when where which who why will with would you your`,
  ),
)
