/** A server's name reduced to plain characters: servers can choose deceptive names. */
export const safeName = (name: string): string => {
  const safe = name.replace(/[^\w.-]+/g, '_').slice(0, 64)
  return safe === '' ? '_' : safe
}
