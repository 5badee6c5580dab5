/** `12,345`. */
export const count = (value: number): string => value.toLocaleString('en-US')

/** `1 page`, `2 pages`. */
export const amount = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`
