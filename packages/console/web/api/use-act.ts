import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, type Reply } from './answer-of.ts'
import { useConsole } from './console-context.ts'
import type { Api } from './create-api.ts'

export interface Act<Input, Output> {
  send: (api: Api, input: Input) => Promise<Reply<Output>>
  /** Keys of the queries to fetch again afterwards. */
  invalidates: readonly string[]
  /** The notification on success; none if absent. */
  successText?: (output: Output, input: Input) => string
  onDone?: (output: Output, input: Input) => void
  /** Errors are shown by the caller, not as a notification. */
  isQuiet?: boolean
}

/** A mutation that notifies the user of its outcome and invalidates queries. */
export function useAct<Input, Output>({
  send,
  invalidates,
  successText,
  onDone,
  isQuiet,
}: Act<Input, Output>): UseMutationResult<Output, Error, Input> {
  const { api, toasts } = useConsole()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input) => answerOf(send(api, input)),
    onSuccess(output, input) {
      if (successText) toasts.show(successText(output, input))
      onDone?.(output, input)
    },
    onError(error) {
      if (!isQuiet) toasts.showError(error)
    },
    async onSettled() {
      await Promise.all(invalidates.map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
  })
}
