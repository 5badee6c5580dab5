/** What is started: a server with one of its accounts, or without. */
export interface Unit {
  name: string
  account?: string | undefined
}

/** `SERVER` or `SERVER@ACCOUNT`. Names of servers cannot contain `@`. */
export const unitName = ({ name, account }: Unit): string =>
  account === undefined ? name : `${name}@${account}`
