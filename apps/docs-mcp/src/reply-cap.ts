/** No reply is longer, in characters: clients refuse what is. */
export const replyCeiling = 20_000

/** Most characters of page text in a reply; the rest is for its first and last lines. */
export const replyCap = 19_000
