import { createContext, useContext } from 'react'
import type { Api, Schemas } from './create-api.ts'
import type { Live } from './create-live.ts'
import type { Toasts } from './create-toasts.ts'

export interface Console {
  api: Api
  live: Live
  toasts: Toasts
  session: Schemas['Session']
  /** Why nothing can be changed in this session; undefined if it can. */
  whyReadOnly: string | undefined
  signOut: () => void
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

/** What every page has at hand. Only within the shell, that is signed in. */
export function useConsole(): Console {
  const console = useContext(ConsoleContext)
  if (!console) throw new Error('There is no console around this.')
  return console
}
