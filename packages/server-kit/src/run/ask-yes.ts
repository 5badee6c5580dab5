import { createInterface } from 'node:readline/promises'

/** Shows a text at the terminal and asks whether to go on; undefined if there is no terminal. */
export function yesAsker(): ((text: string) => Promise<boolean>) | undefined {
  const { stdin: input, stdout: output } = process
  if (!input.isTTY || !output.isTTY) return undefined
  return async (text) => {
    const lines = createInterface({ input, output })
    try {
      return /^y(?:es)?$/i.test((await lines.question(`${text}\n\nWrite this? [y/N] `)).trim())
    } finally {
      lines.close()
    }
  }
}
