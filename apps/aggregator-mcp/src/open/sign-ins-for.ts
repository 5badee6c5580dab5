import { join } from 'node:path'
import {
  createEncryptionKey,
  createFileTokenStore,
  createKeychain,
  createMemoryTokenStore,
  createSignIns,
  type SignIns,
} from '@pith-mcp/aggregator'
import { openInBrowser } from './open-in-browser.ts'
import { remedies } from './remedies.ts'
import { secretSources } from './secret-sources.ts'

interface SignInsForOptions {
  state: string | false
  /** A user is present: the first call that needs a sign-in opens a browser. */
  isAttended?: boolean | undefined
  log: (text: string) => void
}

/** Sign-ins with tokens encrypted in the state folder, or in memory with --no-state. */
export function signInsFor({ state, isAttended, log }: SignInsForOptions): SignIns {
  return createSignIns({
    store: state === false ? createMemoryTokenStore() : storeIn(join(state, 'sign-ins'), log),
    async openBrowser(url) {
      log(`Sign in at ${url}`)
      await openInBrowser(url)
    },
    interactive: isAttended ?? false,
    remedies,
    secretSources,
    onLog: log,
  })
}

function storeIn(folder: string, onLog: (text: string) => void) {
  const getKey = createEncryptionKey({ folder, keychain: createKeychain(), onLog })
  return createFileTokenStore({ folder, getKey, onLog })
}
