/** A name of a server in letters that can be shown: it may have been chosen to deceive. */
export const safeName = (name: string): string => {
  const safe = name.replace(/[^\w.-]+/g, '_').slice(0, 64)
  return safe === '' ? '_' : safe
}
