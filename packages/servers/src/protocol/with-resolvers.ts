/** A promise with the function that resolves it; `Promise.withResolvers` needs Node 22. */
export interface Resolvers<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
}

export function withResolvers<T = void>(): Resolvers<T> {
  let resolve = (_: T): void => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
