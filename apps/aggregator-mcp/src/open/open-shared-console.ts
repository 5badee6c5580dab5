import type { Settings } from '../config.ts'
import { askForConsole } from '../shared/shim.ts'

/** The process of this user's clients, which is started if need be, serves its console from now on. */
export async function openSharedConsole({ config, state, share }: Settings): Promise<void> {
  if (!share || state === false) return
  const argv = [...config.flatMap((path) => ['--config', path]), '--state', state]
  await askForConsole(new URL('main.js', import.meta.url).href, argv)
}
