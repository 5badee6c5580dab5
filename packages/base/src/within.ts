/** The outcome of `work`, or a rejection with `reason` after `ms`. The work itself continues. */
export async function within<T>(ms: number, work: Promise<T>, reason: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(reason)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
