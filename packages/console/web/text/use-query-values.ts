import { useCallback, useMemo } from 'react'
import { navigate, useSearch } from 'wouter/use-browser-location'

/** The query parameters of the page, and a function that changes some of them. */
export function useQueryValues<Name extends string>(
  names: readonly Name[],
): [Partial<Record<Name, string>>, (change: Partial<Record<Name, string>>) => void] {
  const search = useSearch()
  const values = useMemo(() => {
    const params = new URLSearchParams(search)
    const set: Partial<Record<Name, string>> = {}
    for (const name of names) {
      const value = params.get(name)
      if (value) set[name] = value
    }
    return set
  }, [search])
  const change = useCallback((changed: Partial<Record<Name, string>>) => {
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries<string | undefined>(changed))
      if (value) next.set(name, value)
      else next.delete(name)
    navigate(next.size > 0 ? `${location.pathname}?${next}` : location.pathname, { replace: true })
  }, [])
  return [values, change]
}
