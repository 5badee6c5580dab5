import type { UseMutationResult } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { useAct } from '../api/use-act.ts'

type Call = UseMutationResult<Schemas['ToolOutcome'], Error, Record<string, unknown>>

/** Calls a tool, as one of the accounts of its server. The result scrolls into view. */
export function useToolCall(
  { server, name }: Schemas['ToolDetail'],
  account: string | undefined,
): { call: Call; outcome: RefObject<HTMLDivElement | null> } {
  const call = useAct({
    send: (api, input: Record<string, unknown>) =>
      api.POST('/api/v1/tools/call', {
        body: { server, name, arguments: input, ...(account !== undefined && { account }) },
      }),
    invalidates: [],
    isQuiet: true,
  })
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (call.submittedAt > 0 && !call.isPending)
      outcome.current?.scrollIntoView({ block: 'nearest' })
  }, [call.submittedAt, call.isPending])
  return { call, outcome }
}
