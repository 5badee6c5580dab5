import { access, constants, stat } from 'node:fs/promises'

/** True for a file that this user may run. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
