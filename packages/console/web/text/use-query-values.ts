import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'

/** What the address says after the question mark, and a way to change some of it. */
export function useQueryValues<Name extends string>(
  names: readonly Name[],
): [Partial<Record<Name, string>>, (change: Partial<Record<Name, string>>) => void] {
  const [params, setParams] = useSearchParams()
  const key = params.toString()
  const values = useMemo(() => {
    const set: Partial<Record<Name, string>> = {}
    for (const name of names) {
      const value = params.get(name)
      if (value) set[name] = value
    }
    return set
  }, [key])
  const change = useCallback(
    (changed: Partial<Record<Name, string>>) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries<string | undefined>(changed))
            if (value) next.set(name, value)
            else next.delete(name)
          return next
        },
        { replace: true },
      ),
    [setParams],
  )
  return [values, change]
}
