/** A promise with the functions that settle it; `Promise.withResolvers` needs Node 22. */
export interface Resolvers<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(reason: unknown): void
}

export function withResolvers<T = void>(): Resolvers<T> {
  let resolve = (_: T): void => {}
  let reject = (_: unknown): void => {}
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}
