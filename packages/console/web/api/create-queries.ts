import { QueryClient } from '@tanstack/react-query'
import { isRefusal } from './create-api.ts'

/** What is known of the answers. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < 2 && !isRefusal(error),
      },
    },
  })
}
