/** Caches what `make` returns for an object, as long as the object exists. */
export function oncePer<K extends object, V extends {}>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>()
  return (key) => {
    const cached = made.get(key)
    if (cached !== undefined) return cached
    const value = make(key)
    made.set(key, value)
    return value
  }
}
