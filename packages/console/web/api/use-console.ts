import { createContext, useContext } from 'react'
import type { Api } from './create-api.ts'
import type { Live } from './create-live.ts'
import type { Toasts } from './create-toasts.ts'
import type { Schemas } from './schemas.ts'

export interface Console {
  api: Api
  live: Live
  toasts: Toasts
  session: Schemas['Session']
  /** Why this session is read-only; undefined if it is not. */
  readOnlyReason: string | undefined
  /** Why it cannot change what is started or who may enter; undefined if it can. */
  noAdminReason: string | undefined
  signOut: () => void
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

/** The context of every page. Available only when signed in. */
export function useConsole(): Console {
  const console = useContext(ConsoleContext)
  if (!console) throw new Error('useConsole must be called within ConsoleContext.')
  return console
}
