import { useState } from 'react'
import { answerOf } from '../api/answer-of.ts'
import { useConsole } from '../api/console-context.ts'
import { useAct } from '../api/use-act.ts'
import { countOf } from '../text/numbers.ts'
import { type EntryDraft, type ReadEntry, readEntry } from './read-entry.ts'

interface AddServers {
  /** Adds the servers that a draft describes. */
  add: (draft: EntryDraft, replace: boolean) => void
  isPending: boolean
  /** Why nothing was added: the draft is invalid, or a reply. */
  error: Error | null
}

export function useAddServers(onDone: () => void): AddServers {
  const { api } = useConsole()
  const [problem, setProblem] = useState<Error>()
  const adding = useAct({
    async send({ entries, replace }: { entries: readonly ReadEntry[]; replace: boolean }) {
      for (const one of entries)
        await answerOf(
          api.POST('/api/v1/servers', { body: { ...one, ...(replace && { replace }) } }),
        )
      return entries
    },
    invalidates: ['servers', 'receipt', 'tools'],
    successText: (entries) =>
      entries.length === 1
        ? `${entries[0]?.name} added.`
        : `${countOf(entries.length, 'server')} added.`,
    onDone,
    isQuiet: true,
  })
  return {
    add(draft, replace) {
      setProblem(undefined)
      try {
        adding.mutate({ entries: readEntry(draft), replace })
      } catch (error) {
        setProblem(error as Error)
      }
    },
    isPending: adding.isPending,
    error: problem ?? adding.error,
  }
}
