import { useMemo } from 'react'
import { useServers, useTools } from '../api/use-answers.ts'
import { serverPath, toolPath } from '../text/paths.ts'
import { pages } from './pages.tsx'

export interface Goal {
  path: string
  name: string
  kind: string
}

const maxShown = 12

/** The first pages, servers and tools whose name and kind contain all words of a text. */
export function useGoals(text: string): Goal[] {
  const servers = useServers().data
  const tools = useTools().data
  const goals = useMemo<Goal[]>(
    () => [
      ...pages.flatMap(({ items }) => items.map((item) => ({ ...item, kind: 'Page' }))),
      ...(servers ?? []).map(({ unit }) => ({
        path: serverPath(unit),
        name: unit,
        kind: 'Server',
      })),
      ...(tools ?? []).map((tool) => ({
        path: toolPath(tool),
        name: tool.name,
        kind: tool.server,
      })),
    ],
    [servers, tools],
  )
  return useMemo(() => {
    const words = text.toLowerCase().split(/\s+/)
    return goals
      .filter(({ name, kind }) =>
        words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)),
      )
      .slice(0, maxShown)
  }, [goals, text])
}
