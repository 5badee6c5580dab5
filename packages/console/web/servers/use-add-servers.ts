import { useState } from 'react'
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

interface Added {
  first: ReadEntry
  others: readonly ReadEntry[]
  replace: boolean
}

export function useAddServers(onDone: () => void): AddServers {
  const [problem, setProblem] = useState<Error>()
  const adding = useAct({
    async send(api, { first, others, replace }: Added) {
      const post = (one: ReadEntry) =>
        api.POST('/api/v1/servers', { body: { ...one, ...(replace && { replace }) } })
      let reply = await post(first)
      for (const one of others) if (reply.response.ok) reply = await post(one)
      return reply
    },
    invalidates: ['servers', 'receipt', 'tools'],
    successText: (_, { first, others }) =>
      others.length === 0
        ? `${first.name} added.`
        : `${countOf(others.length + 1, 'server')} added.`,
    onDone,
    isQuiet: true,
  })
  return {
    add(draft, replace) {
      setProblem(undefined)
      try {
        const [first, ...others] = readEntry(draft)
        if (first) adding.mutate({ first, others, replace })
      } catch (error) {
        setProblem(error as Error)
      }
    },
    isPending: adding.isPending,
    error: problem ?? adding.error,
  }
}
