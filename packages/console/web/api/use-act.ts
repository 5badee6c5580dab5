import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from './console-context.ts'

interface Act<Input, Output> {
  ask: (input: Input) => Promise<Output>
  /** The keys of what is asked anew after it. */
  changes: readonly string[]
  /** What is said when it is done; nothing if absent. */
  says?: (output: Output, input: Input) => string
  done?: (output: Output, input: Input) => void
  /** The caller shows what goes wrong where it happened. */
  isQuiet?: boolean
}

/** A change: says how it went, and asks anew for what it changed. */
export function useAct<Input, Output>({
  ask,
  changes,
  says,
  done,
  isQuiet,
}: Act<Input, Output>): UseMutationResult<Output, Error, Input> {
  const { toasts } = useConsole()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ask,
    onSuccess(output, input) {
      if (says) toasts.show(says(output, input))
      done?.(output, input)
    },
    onError(error) {
      if (!isQuiet) toasts.showError(error)
    },
    async onSettled() {
      await Promise.all(changes.map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
  })
}
