/** What can be started by itself: a server, or a server with one of its accounts. */
export interface Unit {
  name: string
  account?: string | undefined
}

/** One name for a server with one of its accounts. No name of a server holds an `@`. */
export const unitName = ({ name, account }: Unit): string =>
  account === undefined ? name : `${name}@${account}`
