import {
  keepPreviousData,
  type UndefinedInitialDataOptions,
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { answerOf, isRefusal, ProblemError, type Reply } from './answer-of.ts'
import type { Api } from './create-api.ts'
import type { QueryOf, Schemas } from './schemas.ts'
import { useConsole } from './use-console.ts'

export type RegistryQuery = QueryOf<'/api/v1/registry/servers'>
export type JournalQuery = QueryOf<'/api/v1/journal'>
export type UsageQuery = QueryOf<'/api/v1/usage'>
export type ExplainQuery = QueryOf<'/api/v1/explain'>
export type CallApproval = Schemas['CallApproval']
export type CallAnswer = Schemas['CallAnswer']['answer']
export type SeriesQuery = QueryOf<'/api/v1/usage/series'>

type Options<T> = Pick<
  UndefinedInitialDataOptions<T, Error, T, unknown[]>,
  'refetchInterval' | 'placeholderData' | 'enabled' | 'staleTime'
>

/** Each hook is one query of the API. Its key begins with the name that `changed` events use. */
function useAnswer<T>(queryKey: unknown[], send: (api: Api) => Promise<T>, options?: Options<T>) {
  const { api } = useConsole()
  return useQuery({ queryKey, queryFn: () => send(api), ...options })
}

export const useServers = () =>
  useAnswer(['servers'], async (api) => (await answerOf(api.GET('/api/v1/servers'))).servers)

/** Polled while it is shown: output on stderr causes no event. */
export const useServer = (unit: string) =>
  useAnswer(
    ['server', unit],
    (api) => answerOf(api.GET('/api/v1/servers/{unit}', { params: { path: { unit } } })),
    { refetchInterval: ({ state }) => (isRefusal(state.error) ? false : 3_000) },
  )

export const useServerCalls = (unit: string, query: { since?: string; until?: string }) =>
  useAnswer(['server-calls', unit, query], (api) =>
    answerOf(api.GET('/api/v1/servers/{unit}/calls', { params: { path: { unit }, query } })),
  )

export const useServerItems = (unit: string) =>
  useAnswer(['server-items', unit], (api) =>
    answerOf(api.GET('/api/v1/servers/{unit}/items', { params: { path: { unit } } })),
  )

export const useTools = (query: { server?: string; profile?: string } = {}) =>
  useAnswer(
    ['tools', query],
    async (api) => (await answerOf(api.GET('/api/v1/tools', { params: { query } }))).tools,
  )

export const useTool = (server: string, name: string) =>
  useAnswer(['tool', server, name], (api) =>
    answerOf(api.GET('/api/v1/tools/definition', { params: { query: { server, name } } })),
  )

export const useUsage = (query: UsageQuery) =>
  useAnswer(['usage', query], (api) => answerOf(api.GET('/api/v1/usage', { params: { query } })), {
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  })

export const useSeries = (query: SeriesQuery) =>
  useAnswer(
    ['usage', 'series', query],
    (api) => answerOf(api.GET('/api/v1/usage/series', { params: { query } })),
    { refetchInterval: 30_000, placeholderData: keepPreviousData },
  )

/** Reads transcripts, which takes seconds: only when asked. */
export const useMeter = (since: string, enabled: boolean) =>
  useAnswer(
    ['meter', since],
    (api) => answerOf(api.GET('/api/v1/meter', { params: { query: { since } } })),
    { enabled, staleTime: 60_000 },
  )

export const useReceipt = () =>
  useAnswer(['receipt'], (api) => answerOf(api.GET('/api/v1/receipt')))

export const useJournal = (query: JournalQuery, refetchInterval: number | false = false) =>
  useAnswer(
    ['journal', query],
    (api) => answerOf(api.GET('/api/v1/journal', { params: { query } })),
    { refetchInterval, placeholderData: keepPreviousData },
  )

export const usePins = () =>
  useAnswer(['pins'], async (api) => (await answerOf(api.GET('/api/v1/pins'))).servers)

/** Its hash says which it is, so that no event changes it. */
export const useWaitingDefinition = (query: QueryOf<'/api/v1/pins/definition'>) =>
  useAnswer(['waiting-definition', query], (api) =>
    answerOf(api.GET('/api/v1/pins/definition', { params: { query } })),
  )

/** Polled, since the end of their time causes no event. */
export const useApprovals = () =>
  useAnswer(
    ['approvals'],
    async (api) => (await answerOf(api.GET('/api/v1/approvals'))).approvals,
    { refetchInterval: 15_000 },
  )

export const useProfiles = () =>
  useAnswer(['profiles'], async (api) => (await answerOf(api.GET('/api/v1/profiles'))).profiles)

/** Polled, since usage causes no events. */
export const useAttention = () =>
  useAnswer(['attention'], async (api) => (await answerOf(api.GET('/api/v1/attention'))).items, {
    refetchInterval: 15_000,
  })

export const useClients = () =>
  useAnswer(['clients'], (api) => answerOf(api.GET('/api/v1/clients')), {
    refetchInterval: 15_000,
  })

export const useConnectPreview = (name: string, body: Schemas['ClientConnection']) =>
  useAnswer(
    ['clients', name, body],
    (api) =>
      answerOf(api.POST('/api/v1/clients/{name}/preview', { params: { path: { name } }, body })),
    { placeholderData: keepPreviousData },
  )

export const useTokens = () =>
  useAnswer(['tokens'], async (api) => (await answerOf(api.GET('/api/v1/tokens'))).tokens)

/** The registry may be slow, and its answers are kept for minutes. */
export const useRegistry = (query: RegistryQuery) =>
  useAnswer(
    ['registry', query],
    (api) => answerOf(api.GET('/api/v1/registry/servers', { params: { query } })),
    { staleTime: 300_000, placeholderData: keepPreviousData },
  )

/** What would be added. */
export const useRegistryPlan = (body: Schemas['RegistryAddition'], enabled: boolean) =>
  useAnswer(
    ['registry', 'plan', body],
    (api) => answerOf(api.POST('/api/v1/registry/plan', { body })),
    { enabled, placeholderData: keepPreviousData },
  )
export const useAccess = (query: { caller?: string; profile?: string }) =>
  useAnswer(['profiles', 'access', query], (api) =>
    answerOf(api.GET('/api/v1/access', { params: { query } })),
  )

/** Whether a person must accept something before it is done. */
export const isRisk = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'risks'

export const useConfig = () =>
  useAnswer(['config'], (api) =>
    answerOf(api.GET('/api/v1/config', { params: { query: { plain: 'true' } } })),
  )

export const useEdits = () =>
  useAnswer(
    ['config', 'edits'],
    async (api) => (await answerOf(api.GET('/api/v1/config/edits'))).edits,
  )

export const useUndoPreview = (id: string) =>
  useAnswer(['config', 'edits', id], (api) =>
    answerOf(api.GET('/api/v1/config/edits/{id}', { params: { path: { id } } })),
  )

export const useConfigSchema = () =>
  useAnswer(['config-schema'], (api) => answerOf(api.GET('/api/v1/config/schema')))

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
