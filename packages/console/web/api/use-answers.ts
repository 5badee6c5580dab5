import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { answerOf, isRefusal } from './answer-of.ts'
import { useConsole } from './console-context.ts'
import type { paths } from './schema.d.ts'
import type { Schemas } from './schemas.ts'

/** Each hook is one query of the API. Its key begins with the name that `changed` events use. */
type Answer<T> = UseQueryResult<T, Error>
type QueryOf<P extends keyof paths> = paths[P] extends {
  get: { parameters: { query?: infer Q } }
}
  ? NonNullable<Q>
  : never

export type JournalQuery = QueryOf<'/api/v1/journal'>
export type UsageQuery = QueryOf<'/api/v1/usage'>
export type SeriesQuery = QueryOf<'/api/v1/usage/series'>

export function useServers(): Answer<Schemas['Server'][]> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['servers'],
    queryFn: async () => (await answerOf(api.GET('/api/v1/servers'))).servers,
  })
}

/** Polled while it is shown: output on stderr causes no event. */
export function useServer(unit: string): Answer<Schemas['ServerDetail']> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['server', unit],
    queryFn: () => answerOf(api.GET('/api/v1/servers/{unit}', { params: { path: { unit } } })),
    refetchInterval: ({ state }) => (isRefusal(state.error) ? false : 3_000),
  })
}

export function useTools(
  query: { server?: string; profile?: string } = {},
): Answer<Schemas['ToolSummary'][]> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['tools', query],
    queryFn: async () => (await answerOf(api.GET('/api/v1/tools', { params: { query } }))).tools,
  })
}

export function useTool(server: string, name: string): Answer<Schemas['ToolDetail']> {
  const { api } = useConsole()
  const query = { server, name }
  return useQuery({
    queryKey: ['tool', server, name],
    queryFn: () => answerOf(api.GET('/api/v1/tools/definition', { params: { query } })),
  })
}

export function useUsage(query: UsageQuery): Answer<Schemas['UsageReport']> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['usage', query],
    queryFn: () => answerOf(api.GET('/api/v1/usage', { params: { query } })),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  })
}

export function useSeries(query: SeriesQuery): Answer<Schemas['UsageSeries']> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['usage', 'series', query],
    queryFn: () => answerOf(api.GET('/api/v1/usage/series', { params: { query } })),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  })
}

export function useReceipt(): Answer<Schemas['Receipt']> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['receipt'],
    queryFn: () => answerOf(api.GET('/api/v1/receipt')),
  })
}

export function useJournal(
  query: JournalQuery,
  refetchInterval: number | false = false,
): Answer<Schemas['JournalPage']> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['journal', query],
    refetchInterval,
    queryFn: () => answerOf(api.GET('/api/v1/journal', { params: { query } })),
    placeholderData: keepPreviousData,
  })
}

export function usePins(): Answer<Schemas['PinnedServer'][]> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['pins'],
    queryFn: async () => (await answerOf(api.GET('/api/v1/pins'))).servers,
  })
}

export function useProfiles(): Answer<Schemas['Profile'][]> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['profiles'],
    queryFn: async () => (await answerOf(api.GET('/api/v1/profiles'))).profiles,
  })
}

export function useTokens(): Answer<Schemas['AccessToken'][]> {
  const { api } = useConsole()
  return useQuery({
    queryKey: ['tokens'],
    queryFn: async () => (await answerOf(api.GET('/api/v1/tokens'))).tokens,
  })
}
