/** What agents ask with and no section is about; peers without a list of their own are given it. */
export const stopWords =
  'a an and are as at be by can do does example for from how i in is it my of on or that the this to use using what when where with'.split(
    ' ',
  )
