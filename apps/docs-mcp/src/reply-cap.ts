/** Most characters of page text in a reply, so that with its first and last lines it stays below 20,000. */
export const replyCap = 19_000
