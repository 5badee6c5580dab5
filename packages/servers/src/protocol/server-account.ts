/** What is started: a server with one of its accounts, or without. */
export interface ServerAccount {
  name: string
  account?: string | undefined
}

/** `SERVER` or `SERVER@ACCOUNT`. Names of servers cannot contain `@`. */
export const qualifiedName = ({ name, account }: ServerAccount): string =>
  account === undefined ? name : `${name}@${account}`

/** A server's name reduced to plain characters: servers can choose deceptive names. */
export const safeName = (name: string): string => {
  const safe = name.replace(/[^\w.-]+/g, '_').slice(0, 64)
  return safe === '' ? '_' : safe
}
