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
import { secretSources } from './secret-sources.ts'

interface SignInsForOptions {
  state: string | false
  /** Someone sits here who can sign in: the first call that needs it opens a browser. */
  isAttended?: boolean | undefined
  log: (text: string) => void
}

/** Sign-ins whose tokens are kept encrypted in the state folder. */
export function signInsFor({ state, isAttended, log }: SignInsForOptions): SignIns {
  return createSignIns({
    store: state === false ? createMemoryTokenStore() : storeIn(join(state, 'sign-ins'), log),
    async openBrowser(url) {
      log(`sign in at ${url}`)
      await openInBrowser(url)
    },
    interactive: isAttended ?? false,
    secretSources,
    onLog: log,
  })
}

function storeIn(folder: string, onLog: (text: string) => void) {
  const getKey = createEncryptionKey({ folder, keychain: createKeychain(), onLog })
  return createFileTokenStore({ folder, getKey, onLog })
}
