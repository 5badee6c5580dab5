import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds until an opener that is still running counts as the browser itself. */
const settleMs = 3_000

/** Opens a page for the user of this machine. Resolves to false if no browser could be opened. */
export async function openInBrowser(
  url: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<boolean> {
  // A browser of the machine at the other end of SSH would open for no one.
  if (environment['SSH_CONNECTION'] || environment['SSH_TTY']) return false
  const hasDisplay = environment['DISPLAY'] || environment['WAYLAND_DISPLAY']
  if (process.platform === 'linux' && !hasDisplay && !environment['WSL_DISTRO_NAME']) return false
  try {
    const { default: open } = await import('open')
    const child = await open(url)
    const ended = once(child, 'exit').then(([code]) => code === 0)
    return await Promise.race([ended, sleep(settleMs, true, { ref: false })])
  } catch {
    return false
  }
}
